import pg from 'pg';
import { badConfiguration } from '../errors/operator.js';
import { isConnectionError } from './connection-error.js';
import { databaseName, role } from './initdb.js';

/** Address of a private database on its unix socket, for pg and for libpq's programs. */
export function socketUrl(socketDir: string, password: string): string {
  const login = `${role}:${encodeURIComponent(password)}`;
  return `postgresql://${login}@/${databaseName}?host=${encodeURIComponent(socketDir)}`;
}

/** Whether a server lets us in now. @throws OperatorError 78 when it never will. */
export async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (isConnectionError(error)) return false;
    throw badConfiguration(`The private database lets us not in: ${(error as Error).message}.`, {
      setting: 'home',
      remedy: 'bring secrets/database.password back from a backup of this home',
      cause: error,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}
