import pg from 'pg';
import { badConfiguration } from '../../base/errors/operator.js';
import { isLoginRejected } from '../connection-error.js';
import { secondMs } from '../../base/units.js';

/** The role that imgstore uses: owns its database, not a superuser. */
export const role = 'imgstore';
export const databaseName = 'imgstore';
/** Only for repairs and for extensions; same password. */
export const superuser = 'postgres';

/** A session of the superuser. */
export type Superuser = pg.Client;

/** How long a server may take to accept a session before another attempt, in milliseconds. */
const loginTimeoutMs = 10 * secondMs;

/** URL of a private database on its Unix socket, for pg and for libpq programs. */
export function socketUrl(
  socketDir: string,
  password: string,
  { user = role, database = databaseName } = {},
): string {
  const login = `${user}:${encodeURIComponent(password)}`;
  return `postgresql://${login}@/${database}?host=${encodeURIComponent(socketDir)}`;
}

/**
 * How a private server answers a login: it is open, it is starting, recovering or stopping, or what
 * the attempt failed with. @throws OperatorError 78 if it never will accept it.
 */
export async function tryLogin(url: string): Promise<'open' | 'starting' | Error> {
  const config = { connectionString: url, connectionTimeoutMillis: loginTimeoutMs };
  try {
    await withClient(config, async () => undefined);
    return 'open';
  } catch (error) {
    if ((error as { code?: unknown }).code === '57P03') return 'starting';
    if (!isLoginRejected(error)) return error as Error;
    throw badConfiguration(
      `The private database rejected the login: ${(error as Error).message}.`,
      {
        setting: 'home',
        remedy: 'restore secrets/database.password from a backup of this home',
        cause: error,
      },
    );
  }
}

export const acceptsLogin = async (url: string): Promise<boolean> =>
  (await tryLogin(url)) === 'open';

/** Runs `work` in a session of its own. */
export async function withClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config);
  client.on('error', () => undefined); // what awaits it fails as well
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Runs statements as the superuser of a private server, in one session. */
export const asSuperuser = (url: string, statements: readonly string[]): Promise<void> =>
  withSuperuser(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

/** Runs `work` in a session of the superuser of a private server. */
export const withSuperuser = <T>(
  url: string,
  work: (client: Superuser) => Promise<T>,
): Promise<T> =>
  withClient(
    {
      connectionString: url,
      connectionTimeoutMillis: loginTimeoutMs,
      // Failing statements are not logged, since they may contain passwords.
      options: '-c log_min_error_statement=panic',
    },
    work,
  );
