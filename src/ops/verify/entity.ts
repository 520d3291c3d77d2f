import { entityOf, now, type RowOf } from '../../database/columns.js';

/** The last run of each scope: `objects` (all exist) and `contents` (their bytes are right). */
export const verificationColumns = {
  scope: { type: 'text', primary: true },
  beganAt: { name: 'began_at', type: 'timestamptz' },
  /**
   * End of the last complete run; earlier than `beganAt` while another is running or was killed.
   */
  endedAt: { name: 'ended_at', type: 'timestamptz', nullable: true },
  versions: { type: 'bigint', default: 0 },
  objects: { type: 'bigint', default: 0 },
  bytes: { type: 'bigint', default: 0 },
} as const;

export type VerificationRow = RowOf<typeof verificationColumns>;

export const VerificationEntity = entityOf('verifications', verificationColumns);

/** A single row: the progress of reading the bytes. */
export const contentRoundColumns = {
  singleton: { type: 'boolean', primary: true, default: true },
  beganAt: { name: 'began_at', type: 'timestamptz', default: now },
  /** Id of the last version read in this round. */
  upTo: { name: 'up_to', type: 'uuid', nullable: true },
  versions: { type: 'bigint', default: 0 },
  bytes: { type: 'bigint', default: 0 },
  lastBeganAt: { name: 'last_began_at', type: 'timestamptz', nullable: true },
  lastEndedAt: { name: 'last_ended_at', type: 'timestamptz', nullable: true },
} as const;

export type ContentRound = RowOf<typeof contentRoundColumns>;

export const ContentRoundEntity = entityOf('content_rounds', contentRoundColumns);

export const findingColumns = {
  key: { type: 'text', primary: true },
  kind: { type: 'text' },
  expected: { type: 'bigint', nullable: true },
  found: { type: 'bigint', nullable: true },
  reason: { type: 'text', nullable: true },
  foundAt: { name: 'found_at', type: 'timestamptz', default: now },
} as const;

/** An object that was wrong when it was last checked. */
export const VerificationFindingEntity = entityOf('verification_findings', findingColumns);
