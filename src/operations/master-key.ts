import { hasSigningKey, Keyring } from '../auth/keyring.js';
import { findMasterKey, newMasterKey, readGivenKey, writeMasterKey } from '../auth/secrets.js';
import type { MasterKey } from '../auth/secrets.js';
import type { Home } from '../config/home.js';
import type { DataSource, EntityManager } from 'typeorm';
import { badConfiguration, OperatorError } from '../errors/operator.js';

export interface KeyParts {
  readonly home: Home;
  readonly db: DataSource;
  /** A transaction in which no other node settles its key. */
  readonly tx: EntityManager;
  /** Where the operator keeps the key of the installation. */
  readonly file: string | undefined;
}

/**
 * Gives a home its master key: the one that it has, the one given, or a new one when the database
 * knows none yet. Nothing is written before the key is known to fit.
 * @returns whether the home thereby joined an installation that was there before it.
 * @throws OperatorError (78) when the key is missing or does not fit.
 */
export async function settleMasterKey({ home, db, tx, file }: KeyParts): Promise<boolean> {
  const own = await findMasterKey(home);
  const given = file === undefined ? undefined : await readGivenKey(file);
  if (own && given && own.text() !== given.text()) throw otherKey(home, file);
  const inUse = await hasSigningKey(tx);
  const key = own ?? given ?? (inUse ? undefined : newMasterKey());
  if (!key) throw keyMissing(home);
  if (inUse) await prove(key, db, tx, own ? undefined : file);
  if (!own) await writeMasterKey(home, key);
  if (!inUse) await new Keyring(db, key).rotate();
  return inUse && !own;
}

/** Opens a signing key that the installation made. */
async function prove(
  key: MasterKey,
  db: DataSource,
  tx: EntityManager,
  file?: string,
): Promise<void> {
  try {
    await new Keyring(db, key).current(tx);
  } catch (error) {
    if (file === undefined || !(error instanceof OperatorError)) throw error;
    throw badConfiguration(`The master key in ${file} does not fit the database.`, {
      setting: 'database.url',
      remedy: 'Give the key that "imgstore keys export" prints on a node that uses this database.',
      cause: error,
    });
  }
}

/** A private database lives in one home: whoever brings a key along means to share another one. */
export async function refuseKeyWithoutDatabase(home: Home, file: string): Promise<void> {
  if (await findMasterKey(home)) return;
  throw badConfiguration(
    `A master key was given (${file}), but no database: a private one cannot be shared by nodes.`,
    {
      setting: 'database.url',
      remedy: `imgstore init --home ${home.dir} --master-key-file ${file} --database-url postgresql://USER:PASSWORD@HOST/DATABASE`,
    },
  );
}

const keyMissing = (home: Home) =>
  badConfiguration(
    'The database belongs to an installation already, and this home has no master key.',
    {
      setting: 'database.url',
      remedy:
        `To join it: imgstore init --home ${home.dir} --master-key-file FILE, with the key that ` +
        '"imgstore keys export" prints on another node, or that a backup holds.',
    },
  );

const otherKey = (home: Home, file = '') =>
  badConfiguration(`${home.secrets} holds another master key than ${file}.`, {
    setting: 'home',
    remedy: 'Choose a new --home for the node that joins, or leave the file out.',
  });
