import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { Home } from '../../base/config/home.js';
import { failure, badConfiguration } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { errnoOf } from '../../base/os/files.js';
import {
  findMasterKey,
  MasterKey,
  newMasterKey,
  readGivenKey,
  writeMasterKey,
} from '../../http/auth/secrets.js';
import { sumOfFile, type FileSum, type Repository } from './repository.js';

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
async function openSecrets(sealed: Uint8Array, passphrase: string): Promise<Map<string, Buffer>> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  let content: string;
  try {
    content = await decrypter.decrypt(sealed, 'text');
  } catch (cause) {
    throw failure('The secrets of the backup cannot be decrypted with this passphrase.', {
      code: 'wrong_key',
      setting: 'backup.passphrase',
      remedy: 'Use the passphrase that the backup was made with (IMGSTORE_BACKUP_PASSPHRASE).',
      cause,
    });
  }
  const bundle = bundleSchema.parse(JSON.parse(content));
  return new Map(Object.entries(bundle).map(([path, text]) => [path, Buffer.from(text, 'base64')]));
}

const masterKeyName = 'secrets/master.key';

/** The secrets of a restored home. */
export interface RestoredSecrets {
  readonly masterKey: MasterKey;
  /** Whether it replaces the lost key of the rows. */
  readonly replaced: boolean;
  /** Other files by their path in the home. */
  readonly files: ReadonlyMap<string, Buffer>;
}

interface SecretSources {
  readonly repository: Repository;
  /** Path of the encrypted secrets; null for a backup without them. */
  readonly sealed: string | null;
  readonly home: Home;
  readonly masterKeyFile: string | undefined;
  /** Whether the home gets a new master key because that of the backup is lost. */
  readonly newMasterKey: boolean;
  /** Whether an interrupted restore is resumed. */
  readonly resumed: boolean;
  /** Called only for a backup that has secrets. */
  readonly passphrase: () => Promise<string>;
}

const kept = { replaced: false, files: new Map<string, Buffer>() };

/** A key that an interrupted restore wrote is already in use by the rows. */
export async function withNewKey({
  home,
  resumed,
}: Pick<SecretSources, 'home' | 'resumed'>): Promise<RestoredSecrets> {
  const own = resumed ? await findMasterKey(home) : undefined;
  return own ? { ...kept, masterKey: own } : { ...kept, masterKey: newMasterKey(), replaced: true };
}

/**
 * Takes secrets from a file specified by the operator, the backup, or the home itself, in this
 * order.
 */
export async function findSecrets(sources: SecretSources): Promise<RestoredSecrets> {
  const { repository, sealed, home, masterKeyFile, passphrase } = sources;
  if (sources.newMasterKey) return withNewKey(sources);
  const given = masterKeyFile === undefined ? undefined : await readGivenKey(masterKeyFile);
  if (given) return { ...kept, masterKey: given };
  if (sealed !== null) {
    const source = await repository.read(sealed);
    if (source) {
      const files = await openSecrets(await buffer(source), await passphrase());
      const key = files.get(masterKeyName);
      if (key) {
        files.delete(masterKeyName);
        const masterKey = new MasterKey(Buffer.from(key.toString().trim(), 'base64url'));
        return { ...kept, masterKey, files };
      }
    }
  }
  const own = await findMasterKey(home);
  if (own) return { ...kept, masterKey: own };
  throw badConfiguration('The backup was made without --with-secrets, and has no master key.', {
    code: 'wrong_key',
    setting: '--master-key-file',
    remedy: `Specify a file with the master key of the installation: --master-key-file FILE (secrets/master.key of its home, or what "${commandLine('keys', 'export')}" printed). If it is lost, --new-master-key restores without it and ends all tokens.`,
  });
}

/** Writes the secrets. The backed-up settings become a file beside those in use, for comparison. */
export async function placeSecrets(home: Home, secrets: RestoredSecrets): Promise<void> {
  if (!(await findMasterKey(home))) await writeMasterKey(home, secrets.masterKey);
  for (const [name, content] of secrets.files) {
    if (!/^(?:config\.yaml|secrets\/[\w.-]+)$/.test(name) || name.endsWith('..')) continue;
    const path = name === 'config.yaml' ? 'config.from-backup.yaml' : name;
    await writeFile(join(home.dir, path), content, { mode: 0o600, flag: 'wx' }).catch(
      (error: unknown) => {
        if (errnoOf(error) !== 'EEXIST') throw error;
      },
    );
  }
}
