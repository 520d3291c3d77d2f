import { rows, type Queryable } from '../../database/sql.js';

interface Keyed {
  readonly id: string;
}

export const selectSigningKeyIds = (tx: Queryable): Promise<Keyed[]> =>
  rows<Keyed>(tx, 'SELECT id FROM signing_keys FOR UPDATE');

export const selectWebhookIds = (tx: Queryable): Promise<Keyed[]> =>
  rows<Keyed>(tx, 'SELECT id FROM webhooks FOR UPDATE');

/** The row stays, so that tokens signed with the key count as revoked. */
export const voidSigningKey = (tx: Queryable, id: string, sealed: Buffer): Promise<unknown> =>
  rows(
    tx,
    'UPDATE signing_keys SET sealed = $2, revoked_at = coalesce(revoked_at, now()) WHERE id = $1',
    [id, sealed],
  );

export const voidWebhookSecret = (
  tx: Queryable,
  { id, sealed, reason }: Keyed & { readonly sealed: Buffer; readonly reason: string },
): Promise<unknown> =>
  rows(
    tx,
    `UPDATE webhooks
     SET sealed = $2, sealed_before = NULL, paused_reason = $3, updated_at = now()
     WHERE id = $1`,
    [id, sealed, reason],
  );

export const deleteKeptAnswers = (tx: Queryable): Promise<unknown> =>
  rows(tx, 'DELETE FROM idempotency_keys');
