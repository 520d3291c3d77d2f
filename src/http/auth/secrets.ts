import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { badConfiguration } from '../../base/errors/operator.js';
import type { Home } from '../../base/config/home.js';
import { commandLine } from '../../base/os/command-line.js';
import { errnoOf } from '../../base/os/files.js';

const keyBytes = 32;

/**
 * The one secret of an installation. It encrypts the signing keys, and the keys for file URLs and for
 * codes of the console are derived from it.
 */
export class MasterKey {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** The key as stored in its file. Show it only to the operator. */
  text(): string {
    return this.#key.toString('base64url');
  }

  /** The key that signs URLs of the local store. */
  fileUrlKey(): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, '', 'imgstore file addresses', keyBytes));
  }

  /**
   * Proves that the record of a backup was written by this installation. @param label what it is,
   * so that no record passes for another.
   */
  recordMac(label: string, record: string): string {
    const key = Buffer.from(hkdfSync('sha256', this.#key, '', 'imgstore backup records', keyBytes));
    return createHmac('sha256', key).update(`${label}\n${record}`).digest('hex');
  }

  /** Whether `recordMac` returned `mac` for this record. */
  isRecordMac(label: string, record: string, mac: string | undefined): boolean {
    const [wanted, given] = [Buffer.from(this.recordMac(label, record)), Buffer.from(mac ?? '')];
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  }

  /**
   * The key that proves that a code for the console was made with this master key. (0.3 has another one:
   * it would take everybody's code for an administrator's.)
   */
  signInCodeKey(): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, '', 'imgstore sign-in codes', keyBytes));
  }

  /** The key that proves that a cursor of a list was made with this master key. */
  cursorKey(): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, '', 'imgstore page cursors', keyBytes));
  }

  /** The key of everything that visitors of links are given. */
  linkKey(): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, '', 'imgstore links', keyBytes));
  }

  /** What makes the key (Ed25519) that signs the checkpoints of a log. */
  custodySeed(origin: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, '', `imgstore log ${origin}`, keyBytes));
  }

  /** AES-256-GCM, bound to `label`: nonce (12 bytes), tag (16 bytes), ciphertext. */
  seal(plain: Buffer, label: string): Buffer {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(label));
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  }

  /** @throws OperatorError (78) when `sealed` was encrypted with another master key. */
  unseal(sealed: Buffer, label: string): Buffer {
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, 12))
        .setAAD(Buffer.from(label))
        .setAuthTag(sealed.subarray(12, 28));
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
    } catch (cause) {
      throw badConfiguration("This home's master key does not match the database.", {
        code: 'wrong_key',
        remedy:
          'Copy secrets/master.key from the home that the database was created with, or from its backup.',
        cause,
      });
    }
  }
}

const pathOf = (home: Home): string => join(home.secrets, 'master.key');

export const newMasterKey = (): MasterKey => new MasterKey(randomBytes(keyBytes));

/** Stores the master key of a home that has none, in a file readable only by its owner (0600). */
export async function writeMasterKey(home: Home, key: MasterKey): Promise<void> {
  const file = await open(pathOf(home), 'wx', 0o600);
  await file.writeFile(`${key.text()}\n`);
  await file.sync();
  await file.close();
}

/** @throws OperatorError (78) when the file is missing or damaged. */
export async function readMasterKey(home: Home): Promise<MasterKey> {
  const key = await findMasterKey(home);
  if (key) return key;
  throw badConfiguration(`Cannot read the master key ${pathOf(home)}: no such file.`, {
    code: 'missing',
    remedy: commandLine('init', '--home', home.dir),
  });
}

/** @returns undefined for a home that has no key yet. @throws OperatorError (78) as above. */
export async function findMasterKey(home: Home): Promise<MasterKey | undefined> {
  const path = pathOf(home);
  const user = `${process.getuid?.()}:${process.getgid?.()}`;
  const key = await readKeyFile(path, {
    unreadable: `Run imgstore as the user that owns the home; if it was copied: sudo chown -R ${user} ${home.dir}`,
    damaged: 'Restore the file from a backup.',
  });
  if (key) await refuseReadable(path);
  return key;
}

/** Bits of a file's mode that let every user of the machine read or change it. */
const everybody = 0o006;

/**
 * Refuses a key that others can read, since it is enough to create any token. (The group may read
 * it, since volumes that are mounted for a group cannot hide files from it.)
 */
async function refuseReadable(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & everybody) === 0) return;
  throw badConfiguration(`Every user of this machine can read the master key ${path}.`, {
    remedy: `chmod 600 ${path}; if others may have read it: ${commandLine('keys', 'rotate', '--revoke-old')}`,
  });
}

/**
 * Reads a key from a file named by the operator.
 * @throws OperatorError (78) when it is missing or malformed.
 */
export async function readGivenKey(path: string): Promise<MasterKey> {
  const remedy = `Write the key that "${commandLine('keys', 'export')}" prints on another node to this file.`;
  const key = await readKeyFile(path, { unreadable: remedy, damaged: remedy });
  if (key) return key;
  throw badConfiguration(`Cannot read the master key ${path}: no such file.`, {
    code: 'missing',
    remedy,
  });
}

async function readKeyFile(
  path: string,
  remedies: { readonly unreadable: string; readonly damaged: string },
): Promise<MasterKey | undefined> {
  let source: string;
  try {
    source = await readFile(path, 'utf8');
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return undefined;
    throw badConfiguration(`Cannot read the master key ${path}: ${(cause as Error).message}`, {
      remedy: remedies.unreadable,
      cause,
    });
  }
  const key = Buffer.from(source.trim(), 'base64url');
  if (key.length === keyBytes) return new MasterKey(key);
  throw badConfiguration(
    `${path} is damaged: it does not contain ${keyBytes} bytes in base64url.`,
    {
      code: 'damaged',
      remedy: remedies.damaged,
    },
  );
}
