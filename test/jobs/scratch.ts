import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';

const table = `CREATE TABLE object_reclaim (
  key text PRIMARY KEY,
  not_before timestamptz NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now()
)`;

/** A database of its own on the test server, with the reclaim table alone. */
export async function reclaimDatabase(): Promise<{
  dataSource: DataSource;
  drop: () => Promise<void>;
}> {
  const server = process.env.IMGSTORE_TEST_DATABASE_URL;
  if (!server) throw new Error('IMGSTORE_TEST_DATABASE_URL is not set');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = server.replace(/^([a-z]+:\/\/[^/]*\/)[^?]*/, `$1${name}`);
  const dataSource = await new DataSource({ type: 'postgres', url }).initialize();
  await dataSource.query(table);
  return {
    dataSource,
    drop: async () => {
      await dataSource.destroy();
      await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
