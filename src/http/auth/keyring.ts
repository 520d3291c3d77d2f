import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { noteAct } from '../audit/acts.js';
import {
  insertKey,
  listKeys,
  selectNewestKey,
  endNarrowTokens,
  revokeOtherKeys,
  selectSigningKeys,
  type Repositories,
  type SealedKey,
} from './auth.sql.js';
import { SharedRun } from '../../base/concurrency.js';
import type { MasterKey } from './secrets.js';

export interface SigningKey {
  /** `kid` of the tokens that it signs. */
  readonly id: string;
  /**
   * A KeyObject: given raw bytes, the library would first try to parse them as a public key every
   * time.
   */
  readonly secret: KeyObject;
}

/** Whether the database has a valid signing key. */
export const hasSigningKey = async (db: Repositories): Promise<boolean> =>
  (await selectNewestKey(db)) !== undefined;

/** The token signing keys, stored encrypted in the database so that all nodes share them. */
export class Keyring {
  readonly #opened = new Map<string, SigningKey>();
  /**
   * Loads keys added by other nodes. Key ids can be forged: however many such requests there are,
   * they never hold more than one connection.
   */
  readonly #renewal = new SharedRun(async () => {
    for (const key of await selectSigningKeys(this.db)) this.#open(key);
  });

  constructor(
    private readonly db: DataSource,
    private readonly master: MasterKey,
  ) {}

  /** The key for new tokens; queried each time, since another node may have rotated keys. */
  async current(db: Repositories = this.db): Promise<SigningKey> {
    const key = await selectNewestKey(db);
    return key ? this.#open(key) : this.rotate();
  }

  /**
   * The key of a presented token. Whether it is still valid is checked together with the token's
   * other conditions. @param tx reads keys in a transaction, which must not wait for a second
   * connection.
   */
  async find(id: string, tx?: Repositories): Promise<SigningKey | undefined> {
    const known = this.#opened.get(id);
    if (known) return known;
    if (tx) for (const key of await selectSigningKeys(tx)) this.#open(key);
    else await this.#renewal.run();
    return this.#opened.get(id);
  }

  /** Every key, the newest first; the first one that is not revoked signs. */
  list(): ReturnType<typeof listKeys> {
    return listKeys(this.db);
  }

  /** Adds a key, which signs all new tokens from now on. */
  async rotate(options: { revokeOld?: boolean } = {}): Promise<SigningKey> {
    const bytes = randomBytes(32);
    const key = { id: uuidv7(), secret: createSecretKey(bytes) };
    await this.db.transaction(async (tx) => {
      await insertKey(tx, { id: key.id, sealed: this.master.seal(bytes, key.id) });
      if (options.revokeOld) {
        await revokeOtherKeys(tx, key.id);
        await endNarrowTokens(tx);
      }
      const details = { key: key.id, revoked_old: options.revokeOld === true };
      await noteAct(tx, { act: 'keys.rotate', details });
    });
    this.#opened.set(key.id, key);
    return key;
  }

  #open({ id, sealed }: SealedKey): SigningKey {
    let key = this.#opened.get(id);
    if (!key) {
      key = { id, secret: createSecretKey(this.master.unseal(sealed, id)) };
      this.#opened.set(id, key);
    }
    return key;
  }
}
