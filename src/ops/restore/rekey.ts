import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { noteAct } from '../../http/audit/acts.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import { newSecret } from '../../feed/webhooks/secret.js';
import {
  deleteKeptAnswers,
  selectSigningKeyIds,
  selectWebhookIds,
  voidSigningKey,
  voidWebhookSecret,
} from './rekey.sql.js';

const signingKeyBytes = 32;
const reason = 'restored without the master key: rotate the secret, then resume';

/** Counts of what had been encrypted with the lost master key. */
export interface Rekeyed {
  readonly signing_keys: number;
  readonly webhooks: number;
}

/**
 * Switches restored rows to a new master key. Data encrypted with the lost one can no longer be
 * read: signing keys are revoked, and with them all tokens; webhook secrets are replaced, and the
 * webhooks paused, since receivers do not know the new secrets; stored replays are deleted.
 */
export const rekey = (db: DataSource, master: MasterKey): Promise<Rekeyed> =>
  db.transaction(async (tx) => {
    const keys = await selectSigningKeyIds(tx);
    for (const { id } of keys) {
      await voidSigningKey(tx, id, master.seal(randomBytes(signingKeyBytes), id));
    }
    const webhooks = await selectWebhookIds(tx);
    for (const { id } of webhooks) {
      await voidWebhookSecret(tx, { id, sealed: newSecret(master, id).sealed, reason });
    }
    await deleteKeptAnswers(tx);
    const rekeyed = { signing_keys: keys.length, webhooks: webhooks.length };
    await noteAct(tx, { act: 'keys.replace', details: rekeyed });
    return rekeyed;
  });
