import { entityOf, type RowOf } from '../../database/columns.js';

const newSalt = (): string =>
  `sha256((uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())))`;

const never = (): string => `'-infinity'::timestamp with time zone`;

const saltColumns = {
  userId: { name: 'user_id', type: 'uuid', primary: true },
  salt: { type: 'bytea', default: newSalt },
} as const;

/** Without it, what the log says of a user's images is random (docs/adr/0028). */
export const CustodySaltEntity = entityOf('custody_salts', saltColumns);

/** What happened to an image, and what it is like since. */
const eventColumns = {
  at: { type: 'timestamptz' },
  /** Words; with a hold, its id. */
  kinds: { type: 'text' },
  /** Lines, as docs/custody.md describes them; empty once the image is deleted. */
  state: { type: 'text' },
  /** As JSON, if it is new. */
  address: { type: 'text', nullable: true },
} as const;

const entryColumns = {
  position: { name: 'feed_position', type: 'bigint', primary: true },
  id: { type: 'bigint', primary: true, generated: true },
  platformId: { name: 'platform_id', type: 'uuid' },
  imageId: { name: 'image_id', type: 'uuid' },
  ...eventColumns,
  /** Salted; null for deletions. */
  digest: { type: 'bytea', nullable: true },
} as const;

/** What a log has yet to take in. */
export const CustodyEntryEntity = entityOf('custody_entries', entryColumns);

export const logColumns = {
  /** In the order of the logs. */
  id: { type: 'bigint', primary: true, generated: true },
  platformId: { name: 'platform_id', type: 'uuid' },
  /** Its name in checkpoints, and that of its key. */
  origin: { type: 'text' },
  /** What verifies its checkpoints, as in signed notes. */
  key: { type: 'text' },
  size: { type: 'bigint' },
  /** The newest, signed. */
  checkpoint: { type: 'text' },
  /** Since when another one takes in what happens. */
  endedAt: { name: 'ended_at', type: 'timestamptz', nullable: true },
  /** What it had when webhooks were last told, and when that was. */
  announcedSize: { name: 'announced_size', type: 'bigint', default: 0 },
  announcedAt: { name: 'announced_at', type: 'timestamptz', default: never },
  /** When a time stamp was last asked for, and why there was none. */
  stampTriedAt: { name: 'stamp_tried_at', type: 'timestamptz', default: never },
  stampError: { name: 'stamp_error', type: 'text', nullable: true },
} as const;
export type CustodyLogRow = RowOf<typeof logColumns>;

export const CustodyLogEntity = entityOf('custody_logs', logColumns);

const tileColumns = {
  logId: { name: 'log_id', type: 'bigint', primary: true },
  /** -1: entries. */
  level: { type: 'smallint', primary: true },
  n: { type: 'bigint', primary: true },
  platformId: { name: 'platform_id', type: 'uuid' },
  data: { type: 'bytea' },
} as const;

export const CustodyTileEntity = entityOf('custody_tiles', tileColumns);

const stampColumns = {
  logId: { name: 'log_id', type: 'bigint', primary: true },
  size: { type: 'bigint', primary: true },
  platformId: { name: 'platform_id', type: 'uuid' },
  /** Of that size, signed, as it was stamped. */
  checkpoint: { type: 'text' },
  /** Without certificates. */
  token: { type: 'bytea' },
  /** Null: those of the time stamp before. */
  certificates: { type: 'bytea', nullable: true },
} as const;

export const CustodyStampEntity = entityOf('custody_stamps', stampColumns);

const historyColumns = {
  imageId: { name: 'image_id', type: 'uuid', primary: true },
  logId: { name: 'log_id', type: 'bigint', primary: true },
  /** Its index in the log. */
  leaf: { type: 'bigint', primary: true },
  ...eventColumns,
  /** Of the leaf. */
  hash: { type: 'bytea' },
} as const;

/** What the leaves of images say that have not been deleted for good. */
export const CustodyHistoryEntity = entityOf('custody_history', historyColumns);

const scanColumns = {
  singleton: { type: 'boolean', primary: true, default: true },
  after: { type: 'uuid' },
} as const;

/** How far images that the logs do not know have been looked for; no row once that is done. */
export const CustodyScanEntity = entityOf('custody_scan', scanColumns);
