import { hasSigningKey, Keyring } from '../http/auth/keyring.js';
import { findMasterKey, newMasterKey, readGivenKey, writeMasterKey } from '../http/auth/secrets.js';
import type { MasterKey } from '../http/auth/secrets.js';
import type { Home } from '../base/config/home.js';
import type { DataSource, EntityManager } from 'typeorm';
import { badConfiguration, OperatorError } from '../base/errors/operator.js';
import { commandLine } from '../base/os/command-line.js';

export interface KeyParts {
  readonly home: Home;
  readonly db: DataSource;
  /** A transaction during which no other node can decide on its key. */
  readonly tx: EntityManager;
  /** Where the operator keeps the installation's key. */
  readonly file: string | undefined;
}

/**
 * Provides a home with its master key: the existing one, the given one, or a new one if the
 * database has none yet. Nothing is written until the key is known to match.
 * @returns whether the home joined an existing installation.
 * @throws OperatorError (78) when the key is missing or does not match.
 */
export async function ensureMasterKey({ home, db, tx, file }: KeyParts): Promise<boolean> {
  const own = await findMasterKey(home);
  const given = file === undefined ? undefined : await readGivenKey(file);
  if (own && given && own.text() !== given.text()) throw otherKey(home, file);
  const inUse = await hasSigningKey(tx);
  const key = own ?? given ?? (inUse ? undefined : newMasterKey());
  if (!key) throw keyMissing(home);
  if (inUse) await verifyKey(key, db, tx, own ? undefined : file);
  if (!own) await writeMasterKey(home, key);
  if (!inUse) await new Keyring(db, key).rotate();
  return inUse && !own;
}

/** Decrypts a signing key of the installation. */
async function verifyKey(
  key: MasterKey,
  db: DataSource,
  tx: EntityManager,
  file?: string,
): Promise<void> {
  try {
    await new Keyring(db, key).current(tx);
  } catch (error) {
    if (file === undefined || !(error instanceof OperatorError)) throw error;
    throw badConfiguration(`The master key in ${file} does not match the database.`, {
      setting: 'database.url',
      remedy: `Use the key that "${commandLine('keys', 'export')}" prints on a node of this database.`,
      cause: error,
    });
  }
}

/**
 * A private database belongs to one home: a given key means that the operator wants to share one.
 */
export async function refuseKeyWithoutDatabase(home: Home, file: string): Promise<void> {
  if (await findMasterKey(home)) return;
  throw badConfiguration(
    `A master key was given (${file}), but no database: nodes cannot share a private database.`,
    {
      setting: 'database.url',
      remedy: commandLine(
        'init',
        '--home',
        home.dir,
        '--master-key-file',
        file,
        '--database-url',
        'postgresql://USER:PASSWORD@HOST/DATABASE',
      ),
    },
  );
}

const keyMissing = (home: Home) =>
  badConfiguration(
    'The database already belongs to an installation, and this home has no master key.',
    {
      setting: 'database.url',
      remedy:
        `To join it: ${commandLine('init', '--home', home.dir, '--master-key-file', 'FILE')}, with the key that ` +
        `"${commandLine('keys', 'export')}" prints on another node, or from a backup.`,
    },
  );

const otherKey = (home: Home, file = '') =>
  badConfiguration(`${home.secrets} contains a different master key than ${file}.`, {
    setting: 'home',
    remedy: 'Choose a new --home for the joining node, or omit the file.',
  });
