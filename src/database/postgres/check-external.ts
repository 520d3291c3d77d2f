import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { badConfiguration, dependencyDown, OperatorError } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { postgisPackage } from './apt.js';
import { urlsOfHosts } from '../../base/config/database-hosts.js';
import { minimumMajor, requiredExtensions } from './engine.js';
import { startingUp, urlOfWriter } from '../hosts.js';
import { tlsMistake, withLibpqModes } from '../tls.js';
import { explainConnection, explainServer } from '../connection-error.js';
import { secondMs } from '../../base/units.js';

const setting = 'database.url';

const secrets = /^(?:(?:ssl)?password|oauth_client_secret|scram_(?:client|server)_key)$/i;

/** Whether a parameter of a database URL, such as `password=x`, is a secret; names may be encoded, too. */
export function isSecret(parameter: string): boolean {
  const name = new URLSearchParams(parameter).keys().next().value;
  return name !== undefined && secrets.test(name);
}

/** A database URL without its secrets, safe to print. */
export function withoutPassword(url: string): string {
  return url
    .replace(/^([a-z]+:\/\/[^:/?#]*):.*@/i, '$1:…@')
    .replaceAll(/(?<=[?&])([^&#=]*=)[^&#]*/g, (all, name: string) =>
      isSecret(all) ? `${name}…` : all,
    );
}

/** Timeouts for a session and for a response, in milliseconds. */
const loginTimeoutMs = 10 * secondMs;
const answerTimeoutMs = 20 * secondMs;
/** How long to wait for a server that is starting up or recovering, in milliseconds. */
const startupTimeoutMs = 20 * secondMs;

/**
 * Checks that an external database can hold the schema: reachable, new enough, UTF-8, with ICU, the
 * extensions present or creatable, and permission to create tables. Changes nothing.
 * @throws OperatorError 69 if it cannot be reached, 78 for what must be fixed first.
 */
export async function checkDatabase(url: string): Promise<void> {
  const { client, host } = await connect(url);
  try {
    await requireOwnSession(host, client);
    const major = await checkServer(client);
    await checkExtensions(client, major);
  } catch (error) {
    throw error instanceof OperatorError ? error : explainConnection(error, nameOf(url));
  } finally {
    // A server that stopped responding would not answer a disconnect either.
    await Promise.race([client.end(), delay(secondMs, undefined, { ref: false })]).catch(
      () => undefined,
    );
  }
}

const nameOf = (url: string): string => `The database ${withoutPassword(url)}`;

interface Connected {
  readonly client: pg.Client;
  /** The URL of the host that it is connected to. */
  readonly host: string;
}

/** A session; retries for a while if the server is still starting up. */
async function connect(url: string): Promise<Connected> {
  urlsOfHosts(url).forEach(clientOf); // throws what no server could mend
  for (const deadline = Date.now() + startupTimeoutMs; ; await delay(250)) {
    let client: pg.Client | undefined;
    try {
      const host = await urlOfWriter(url);
      client = clientOf(host);
      await client.connect();
      return { client, host };
    } catch (cause) {
      client?.end().catch(() => undefined);
      const waits = (cause as { code?: unknown }).code === startingUp && Date.now() < deadline;
      if (!waits) throw explainConnection(cause, nameOf(url));
    }
  }
}

function clientOf(url: string): pg.Client {
  const mistake = tlsMistake(url);
  if (mistake !== undefined) {
    throw badConfiguration(`The database URL is invalid: ${mistake}.`, {
      setting,
      remedy: 'docs/operating.md explains the values of sslmode',
    });
  }
  try {
    const client = new pg.Client({
      connectionString: withLibpqModes(url),
      connectionTimeoutMillis: loginTimeoutMs,
      query_timeout: answerTimeoutMs,
      statement_timeout: answerTimeoutMs, // as for the pool: a pooler may reject it
      application_name: 'imgstore',
    });
    return client.on('error', () => undefined);
  } catch (cause) {
    const { code, path } = cause as NodeJS.ErrnoException;
    if (path !== undefined) {
      throw badConfiguration(
        `Cannot read the certificate or key that the database URL specifies: ${(cause as Error).message}`,
        {
          setting,
          remedy:
            code === 'ENOENT'
              ? `correct sslrootcert, sslcert, or sslkey in the URL`
              : `make ${path} readable for this user`,
          cause,
        },
      );
    }
    throw badConfiguration('The database URL is invalid.', {
      setting,
      remedy: 'write it as postgresql://USER:PASSWORD@HOST:5432/DATABASE',
      cause,
    });
  }
}

interface ServerInfo {
  version: number;
  encoding: string;
  icu: boolean;
  schema: string | null;
  may_create: boolean | null;
  read_only: boolean;
  standby: boolean;
  role: string;
  database: string;
  /** Who owns the tables, if the role has not the rights of that role. */
  owner: string | null;
}

/** @returns the server's major version. */
async function checkServer(client: pg.Client): Promise<number> {
  const { rows } = await client.query<ServerInfo>(`
    SELECT current_setting('server_version_num')::int AS version,
           current_setting('server_encoding') AS encoding,
           EXISTS (SELECT FROM pg_collation WHERE collprovider = 'i') AS icu,
           current_schema() AS schema,
           has_schema_privilege(current_schema(), 'CREATE') AS may_create,
           current_setting('transaction_read_only')::boolean AS read_only,
           pg_is_in_recovery() AS standby,
           quote_ident(current_user) AS role,
           quote_ident(current_database()) AS database,
           (SELECT quote_ident(pg_get_userbyid(relowner)) FROM pg_class
            WHERE oid = to_regclass('instance') AND NOT pg_has_role(relowner, 'USAGE')) AS owner`);
  const server = rows[0] as ServerInfo;
  const refuse = (message: string, remedy: string) =>
    badConfiguration(message, { setting, remedy });
  const major = Math.floor(server.version / 10_000);
  if (major < minimumMajor) {
    throw refuse(
      `The database server is PostgreSQL ${major}, which is too old.`,
      `use ${minimumMajor} or newer`,
    );
  }
  if (server.encoding !== 'UTF8') {
    throw refuse(
      `The database encoding is ${server.encoding}.`,
      `CREATE DATABASE imgstore OWNER ${server.role} ENCODING 'UTF8' TEMPLATE template0;`,
    );
  }
  if (!server.icu) {
    throw refuse('The database server was built without ICU.', 'use a server built with ICU');
  }
  if (server.read_only) throw readOnly(server);
  if (!server.may_create) {
    throw refuse(
      `${server.role} has no permission to create tables in the database.`,
      `ALTER DATABASE ${server.database} OWNER TO ${server.role}; (as a superuser)`,
    );
  }
  if (server.owner !== null) {
    throw refuse(
      `The tables in the database belong to ${server.owner}, not to ${server.role}: they were restored or created by that role.`,
      `REASSIGN OWNED BY ${server.owner} TO ${server.role}; (as a superuser, in this database), or, if ${server.owner} has more than this: GRANT ${server.owner} TO ${server.role};`,
    );
  }
  return major;
}

const readOnly = ({ standby, database }: ServerInfo): OperatorError =>
  dependencyDown(
    standby
      ? 'The database server is a standby, which accepts no changes.'
      : 'The database is read-only.',
    {
      setting,
      remedy: standby
        ? 'name the primary server in the URL, or promote this one'
        : `ALTER DATABASE ${database} RESET default_transaction_read_only; (and the same for its role; some providers set it when the disk is full)`,
    },
  );

/** Statements on each of two sessions until a pooler that shares one between them has shown it. */
const poolerRounds = 5;

/**
 * Rejects a pooler that gives each transaction or statement another session: locks, which let one
 * node at a time migrate or run a job, would outlive their holder, or exclude nobody.
 * @throws OperatorError 78.
 */
async function requireOwnSession(host: string, client: pg.Client): Promise<void> {
  // The id that the client was given: a pooler gives one of its own. (Missing in pg's types.)
  const { processID } = client as pg.Client & { readonly processID?: number };
  if (processID === (await sessionOf(client))) return;
  const { client: other } = await connect(host);
  try {
    const [ours, others] = [new Set<number>(), new Set<number>()];
    for (let round = 0; round < poolerRounds; round += 1) {
      ours.add(await sessionOf(client));
      others.add(await sessionOf(other));
    }
    if (ours.size === 1 && ![...others].some((pid) => ours.has(pid))) return;
  } finally {
    await other.end().catch(() => undefined);
  }
  const mode = await client.query('BEGIN').then(
    () => 'transaction',
    () => 'statement', // it refuses transactions of several
  );
  const console = `psql -h ${client.host} -p ${client.port} -U ADMIN pgbouncer`;
  throw badConfiguration(
    `The database is reached through a pooler that gives each ${mode} another session (pool_mode = ${mode}).`,
    {
      setting,
      remedy: `set pool_mode = session for this database in pgbouncer.ini, then: ${console} -c RELOAD; or name the server itself: ${commandLine('config', 'set', 'database.url', 'URL')}`,
    },
  );
}

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? NaN;
}

async function checkExtensions(client: pg.Client, major: number): Promise<void> {
  // One query for all, since the server reads its folder of extensions for each.
  const { rows } = await client.query<AvailableExtension>(
    `SELECT a.name, e.oid IS NOT NULL AS installed, n.nspname AS schema,
            n.nspname = ANY (current_schemas(true)) AS visible
     FROM pg_available_extensions a LEFT JOIN pg_extension e ON e.extname = a.name
     LEFT JOIN pg_namespace n ON n.oid = e.extnamespace
     WHERE a.name = ANY($1)`,
    [requiredExtensions],
  );
  for (const name of requiredExtensions) {
    const found = rows.find((row) => row.name === name);
    if (!found) throw missingExtension(name, major);
    if (!found.installed) await tryExtension(client, name);
    else if (!found.visible) throw await hiddenExtension(client, found);
  }
}

interface AvailableExtension {
  readonly name: string;
  readonly installed: boolean;
  readonly schema: string | null;
  /** Whether its types and functions are found without naming their schema. */
  readonly visible: boolean | null;
}

/** Hosted servers often install extensions into a schema of their own. */
async function hiddenExtension(
  client: pg.Client,
  { name, schema }: AvailableExtension,
): Promise<OperatorError> {
  const { rows } = await client.query<{ role: string; path: string; schema: string }>(
    `SELECT quote_ident(current_user) AS role, current_setting('search_path') AS path,
            quote_ident($1) AS schema`,
    [schema],
  );
  const [here] = rows;
  return badConfiguration(
    `The extension ${name} is in the schema ${schema}, which is not in the search path of ${here?.role}.`,
    {
      setting,
      remedy: `ALTER ROLE ${here?.role} SET search_path = ${here?.path}, ${here?.schema};`,
    },
  );
}

function missingExtension(name: string, major: number): OperatorError {
  const packageName = name === 'postgis' ? postgisPackage(major) : `postgresql-contrib`;
  return badConfiguration(`The database server does not have the extension ${name}.`, {
    setting,
    remedy: `sudo apt-get install ${packageName} (on the database server's machine)`,
  });
}

/**
 * Permission to create an extension depends on many rules (superuser, trusted, a provider's own),
 * so try it.
 */
async function tryExtension(client: pg.Client, name: string): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`CREATE EXTENSION ${name}`);
  } catch (cause) {
    const trouble = explainServer(cause);
    if (trouble) throw trouble;
    throw badConfiguration(
      `The extension ${name} is missing from the database and could not be created: ${(cause as Error).message}.`,
      { setting, remedy: `CREATE EXTENSION ${name}; (in that database, as a superuser)`, cause },
    );
  }
  await client.query('ROLLBACK');
}
