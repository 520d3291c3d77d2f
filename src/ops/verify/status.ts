import type { Queryable } from '../../database/sql.js';
import { countFindings, selectRound, selectRuns } from './record.sql.js';

const instantOf = (time: Date | null | undefined): string | null => time?.toISOString() ?? null;

/**
 * The state of verification: when objects were verified, the progress of the round, and the number
 * of findings.
 */
export async function verificationStatus(db: Queryable) {
  const runs = new Map((await selectRuns(db)).map((run) => [run.scope, run]));
  const { beganAt, upTo, versions, bytes, lastEndedAt } = await selectRound(db);
  const contents = runs.get('contents');
  return {
    /** When "verify" last checked all objects and rows. */
    objects_verified_at: instantOf(runs.get('objects')?.endedAt),
    /** When bytes were last read, by "verify --deep" or the nightly job. */
    contents_read_at: instantOf(contents?.endedAt),
    contents_read_bytes: contents?.bytes ?? 0,
    /** When the last round ended. */
    round_ended_at: instantOf(lastEndedAt),
    /** The current round. */
    round: {
      began_at: upTo === null ? null : beganAt.toISOString(),
      versions,
      bytes,
    },
    /** Objects that were wrong when they were last checked; at most 1,000 are kept. */
    differences: await countFindings(db),
  };
}

export type VerificationStatus = Awaited<ReturnType<typeof verificationStatus>>;
