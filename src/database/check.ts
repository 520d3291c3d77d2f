import pg from 'pg';
import { badConfiguration, dependencyDown } from '../errors/operator.js';
import { postgisPackage } from './apt.js';
import { isConnectionError } from './connection-error.js';
import { minimumMajor, requiredExtensions } from './engine.js';

const setting = 'database.url';

/** An address as it may be shown: without its password. */
export function withoutPassword(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^:/?#]*):.*@/i, '$1:…@');
}

/**
 * Checks that an external database can carry the schema: reachable, new enough, UTF-8, with ICU, the
 * extensions there or possible, and the right to create tables. Changes nothing.
 * @throws OperatorError 69 when it cannot be reached, 78 for what has to be mended first.
 */
export async function checkDatabase(url: string): Promise<void> {
  const client = await connect(url);
  try {
    const major = await checkServer(client);
    for (const name of requiredExtensions) await checkExtension(client, name, major);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function connect(url: string): Promise<pg.Client> {
  let client: pg.Client;
  try {
    client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: 30_000,
      application_name: 'imgstore',
    });
  } catch (cause) {
    const remedy = 'write it as postgresql://USER:PASSWORD@HOST:5432/DATABASE';
    throw badConfiguration('The address of the database cannot be read.', {
      setting,
      remedy,
      cause,
    });
  }
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (cause) {
    await client.end().catch(() => undefined);
    const { message, errors } = cause as Error & { errors?: Error[] };
    const why = message || errors?.map((e) => e.message).join(', ');
    const where = withoutPassword(url);
    if (isConnectionError(cause)) {
      const remedy = 'start the server, or mend the address';
      throw dependencyDown(`The database ${where} cannot be reached: ${why}.`, {
        setting,
        remedy,
        cause,
      });
    }
    const remedy = 'mend user, password or database name in the address';
    throw badConfiguration(`The database ${where} lets us not in: ${why}.`, {
      setting,
      remedy,
      cause,
    });
  }
}

interface ServerFacts {
  version: number;
  encoding: string;
  icu: boolean;
  schema: string | null;
  may_create: boolean | null;
  role: string;
  database: string;
}

/** @returns the server's major version. */
async function checkServer(client: pg.Client): Promise<number> {
  const { rows } = await client.query<ServerFacts>(`
    SELECT current_setting('server_version_num')::int AS version,
           current_setting('server_encoding') AS encoding,
           EXISTS (SELECT FROM pg_collation WHERE collprovider = 'i') AS icu,
           current_schema() AS schema,
           has_schema_privilege(current_schema(), 'CREATE') AS may_create,
           quote_ident(current_user) AS role,
           quote_ident(current_database()) AS database`);
  const facts = rows[0] as ServerFacts;
  const refuse = (message: string, remedy: string) =>
    badConfiguration(message, { setting, remedy });
  const major = Math.floor(facts.version / 10_000);
  if (major < minimumMajor) {
    throw refuse(`The database server is PostgreSQL ${major}.`, `use ${minimumMajor} or newer`);
  }
  if (facts.encoding !== 'UTF8') {
    throw refuse(
      `The database is encoded in ${facts.encoding}.`,
      `CREATE DATABASE imgstore OWNER ${facts.role} ENCODING 'UTF8' TEMPLATE template0;`,
    );
  }
  if (!facts.icu) {
    throw refuse('The database server was built without ICU.', 'use a server built with ICU');
  }
  if (!facts.may_create) {
    throw refuse(
      `${facts.role} may not create tables in the database.`,
      `ALTER DATABASE ${facts.database} OWNER TO ${facts.role}; (as a superuser)`,
    );
  }
  return major;
}

async function checkExtension(client: pg.Client, name: string, major: number): Promise<void> {
  const { rows } = await client.query<{ installed: boolean }>(
    `SELECT installed_version IS NOT NULL AS installed FROM pg_available_extensions WHERE name = $1`,
    [name],
  );
  const [found] = rows;
  if (!found) {
    const packageName = name === 'postgis' ? postgisPackage(major) : `postgresql-contrib`;
    throw badConfiguration(`The database server has no extension ${name}.`, {
      setting,
      remedy: `sudo apt-get install ${packageName} (on the machine of the server)`,
    });
  }
  if (!found.installed) await tryExtension(client, name);
}

/** Rights to create an extension follow many rules (superuser, trusted, a provider's own): try it. */
async function tryExtension(client: pg.Client, name: string): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`CREATE EXTENSION ${name}`);
  } catch (cause) {
    throw badConfiguration(
      `The database lacks the extension ${name}, and we may not create it: ${(cause as Error).message}.`,
      { setting, remedy: `CREATE EXTENSION ${name}; (in that database, as a superuser)`, cause },
    );
  } finally {
    await client.query('ROLLBACK');
  }
}
