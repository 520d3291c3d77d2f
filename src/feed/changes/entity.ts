import { entityOf } from '../../database/columns.js';

const tokenOfTransaction = (): string =>
  `(NULLIF(current_setting('imgstore.token'::text, true), ''::text))::uuid`;
const actorOfTransaction = (): string =>
  `COALESCE(array_position('{user,platform,admin,system}'::text[], current_setting('imgstore.actor'::text, true)), 1)`;

/** An entry of a user's sequence, written by triggers (docs/adr/0015). */
export const changeColumns = {
  userId: { name: 'user_id', type: 'uuid', primary: true },
  seq: { type: 'bigint', primary: true },
  /** Orders the entries of a platform. */
  position: { name: 'feed_position', type: 'bigint' },
  at: { type: 'timestamptz' },
  platformId: { name: 'platform_id', type: 'uuid' },
  id: { type: 'uuid' },
  type: { type: 'smallint' },
  action: { type: 'smallint' },
  actor: { type: 'smallint', default: actorOfTransaction },
  imageId: { name: 'image_id', type: 'uuid', nullable: true },
  /** The token that made the change; null for the terminal and for jobs (src/database/fairness.ts). */
  tokenId: { name: 'token_id', type: 'uuid', nullable: true, default: tokenOfTransaction },
} as const;

export const ChangeEntity = entityOf('changes', changeColumns);

const clockColumns = {
  singleton: { type: 'boolean', primary: true, default: true },
  /** Added to transaction ids. */
  xidOffset: { name: 'xid_offset', type: 'bigint', default: 0 },
} as const;

export const FeedClockEntity = entityOf('feed_clock', clockColumns);

const expiryColumns = {
  platformId: { name: 'platform_id', type: 'uuid', primary: true },
  position: { name: 'feed_position', type: 'bigint' },
  userId: { name: 'user_id', type: 'uuid' },
  seq: { type: 'bigint' },
} as const;

/** The newest entry of a platform that is no longer kept. */
export const FeedExpiryEntity = entityOf('feed_expiry', expiryColumns);
