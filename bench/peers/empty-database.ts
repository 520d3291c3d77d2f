import pg from 'pg';
import { role, superuser } from '../../src/database/postgres/connect.js';

/** Connection options of a database, named as in pg and libraries based on it. */
export interface Connection {
  /** Folder of the server's socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** Creates a database next to that of the URL, on a private server. */
export async function emptyDatabase(url: string, name: string): Promise<Connection> {
  // The superuser of a private server has the same password.
  const connectionString = url.replace(`//${role}:`, `//${superuser}:`);
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${name}`);
    await client.query(`CREATE DATABASE ${name} OWNER ${role}`);
  } finally {
    await client.end();
  }
  const { host, port, user, password } = new pg.Client({ connectionString: url });
  return { host, port, user: user ?? role, password: password ?? '', database: name };
}
