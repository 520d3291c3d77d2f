import pg from 'pg';
import { badConfiguration } from '../errors/operator.js';
import { isRefused } from '../database/explain.js';
import { secondMs } from '../units.js';

/** The role that imgstore works as: owner of its database, no superuser. */
export const role = 'imgstore';
export const databaseName = 'imgstore';
/** Only for repairs and for extensions; same password. */
export const superuser = 'postgres';

/** How long a server may take to let a session in, in milliseconds, until it is asked again. */
const loginMs = 10 * secondMs;

/** Address of a private database on its unix socket, for pg and for libpq's programs. */
export function socketUrl(
  socketDir: string,
  password: string,
  { user = role, database = databaseName } = {},
): string {
  const login = `${user}:${encodeURIComponent(password)}`;
  return `postgresql://${login}@/${database}?host=${encodeURIComponent(socketDir)}`;
}

/** Whether a server lets us in now. @throws OperatorError 78 when it never will. */
export async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: loginMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (!isRefused(error)) return false;
    throw badConfiguration(`The private database lets us not in: ${(error as Error).message}.`, {
      setting: 'home',
      remedy: 'bring secrets/database.password back from a backup of this home',
      cause: error,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Runs statements as the superuser of a private server, in one session. */
export async function asSuperuser(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: loginMs,
    // A statement that fails is not written to the log, where passwords do not belong.
    options: '-c log_min_error_statement=panic',
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
}
