import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Home } from '../../base/config/home.js';
import { failure } from '../../base/errors/operator.js';
import { sumOfFile } from './lines.js';
import type { FileSum } from './lines.js';
import type { Repository } from './repository.js';

/** Contents of files in base64, by their path in the home. */
const bundleSchema = z.record(z.string(), z.base64());

/** The password of a private database server; a restored home gets a new one. */
const notKept = 'database.password';
const configName = 'config.yaml';

/** Encrypts the secrets and the settings of a home in the format of age, with a passphrase. */
async function sealSecrets(home: Home, passphrase: string, file: string): Promise<void> {
  const bundle: Record<string, string> = {};
  for (const name of await readdir(home.secrets)) {
    if (name === notKept) continue;
    bundle[`secrets/${name}`] = await readFile(join(home.secrets, name), 'base64');
  }
  const config = await readFile(home.configFile, 'base64').catch(() => undefined);
  if (config !== undefined) bundle[configName] = config;
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  await writeFile(file, await encrypter.encrypt(JSON.stringify(bundle)), { mode: 0o600 });
}

interface Sealed {
  readonly home: Home;
  readonly repository: Repository;
  readonly passphrase?: string | undefined;
}

/** Stores the secrets of the home, encrypted, at a path of a repository; null without a passphrase. */
export async function putSecrets(
  { home, repository, passphrase }: Sealed,
  path: string,
): Promise<FileSum | null> {
  if (passphrase === undefined) return null;
  const file = join(repository.staging, 'secrets.age');
  await sealSecrets(home, passphrase, file);
  const sum = await sumOfFile(file);
  await repository.put(path, file);
  return sum;
}

/** Decrypts what `sealSecrets` encrypted. @throws OperatorError 1 for another passphrase. */
export async function openSecrets(
  sealed: Uint8Array,
  passphrase: string,
): Promise<Map<string, Buffer>> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  let content: string;
  try {
    content = await decrypter.decrypt(sealed, 'text');
  } catch (cause) {
    throw failure('The secrets of the backup cannot be decrypted with this passphrase.', {
      setting: 'backup.passphrase',
      remedy: 'Use the passphrase that the backup was made with (IMGSTORE_BACKUP_PASSPHRASE).',
      cause,
    });
  }
  const bundle = bundleSchema.parse(JSON.parse(content));
  return new Map(Object.entries(bundle).map(([path, text]) => [path, Buffer.from(text, 'base64')]));
}
