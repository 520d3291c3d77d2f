import { entityOf, now } from '../../database/columns.js';

/** Keyed requests that have succeeded: one row for each piece of an answer. */
export const idempotencyColumns = {
  /** The user or platform of the token. */
  owner: { type: 'uuid', primary: true },
  key: { type: 'text', primary: true, collation: 'C' },
  /** From 0. */
  piece: { type: 'integer', primary: true },
  /** SHA-256 of the validated request; of an upload, also of what headers alone tell of it. */
  fingerprint: { type: 'bytea' },
  /** Part of the JSON of the result, with marks where signed URLs go; encrypted. */
  answer: { type: 'bytea' },
  isLast: { name: 'is_last', type: 'boolean' },
  createdAt: { name: 'created_at', type: 'timestamptz', default: now },
} as const;

export const IdempotencyKeyEntity = entityOf('idempotency_keys', idempotencyColumns);
