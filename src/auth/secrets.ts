import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { badConfiguration } from '../errors/operator.js';
import type { Home } from '../config/home.js';

const keyBytes = 32;

/** The one secret of an installation. It seals the signing keys and makes the key of file addresses. */
export class MasterKey {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** The key that signs addresses of the local store. */
  fileAddressKey(): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, '', 'imgstore file addresses', keyBytes));
  }

  /** AES-256-GCM, bound to `label`: nonce (12 bytes), tag (16 bytes), ciphertext. */
  seal(plain: Buffer, label: string): Buffer {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(label));
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  }

  /** @throws OperatorError (78) when `sealed` was made with another master key. */
  unseal(sealed: Buffer, label: string): Buffer {
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, 12))
        .setAAD(Buffer.from(label))
        .setAuthTag(sealed.subarray(12, 28));
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
    } catch (cause) {
      throw badConfiguration('The master key of this home does not fit the database.', {
        remedy:
          'Copy secrets/master.key from the home that the database was made with, or from its backup.',
        cause,
      });
    }
  }
}

const pathOf = (home: Home): string => join(home.secrets, 'master.key');

/** Makes the master key file (0600) unless there is one. @returns whether it was made. */
export async function createMasterKey(home: Home): Promise<boolean> {
  try {
    const file = await open(pathOf(home), 'wx', 0o600);
    await file.writeFile(randomBytes(keyBytes).toString('base64url') + '\n');
    await file.sync();
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** @throws OperatorError (78) when the file is missing or damaged. */
export async function readMasterKey(home: Home): Promise<MasterKey> {
  const path = pathOf(home);
  const source = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw badConfiguration(`Cannot read the master key ${path}.`, {
      remedy: `Run "imgstore init --home ${home.dir}", as the user that owns the home.`,
      cause,
    });
  });
  const key = Buffer.from(source.trim(), 'base64url');
  if (key.length !== keyBytes) {
    throw badConfiguration(`${path} is damaged: it does not hold ${keyBytes} bytes in base64url.`, {
      remedy: 'Restore the file from a backup.',
    });
  }
  return new MasterKey(key);
}
