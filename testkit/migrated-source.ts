import type { DataSource } from 'typeorm';
import { migrations } from '../migrations/index.js';
import { createDataSource } from '../src/database/data-source.js';
import { migrate } from '../src/database/migrations.js';
import { allWithin, type TimeLimited } from '../src/database/sql.js';
import { entities } from '../src/ops/service-database.js';
import { databaseOn, onServer, source, template, testDatabase } from './database.js';
import { lastFirst, type Scope } from './scope.js';

/** Recreates the template on a server: a migrated copy of its own database. */
export async function prepareTemplate(server: string): Promise<void> {
  await onServer(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`, server);
  await onServer(`CREATE DATABASE ${template} TEMPLATE "${source(server)}"`, server);
  const dataSource = createDataSource({
    url: databaseOn(server, template),
    poolSize: 1,
    statementTimeoutMs: 0,
    entities: [],
    migrations: [...migrations],
  });
  await migrate(dataSource, () => undefined);
}

/** A connected new database with the whole schema and no rows. */
export async function migratedSource(parent: Scope, poolSize = 2): Promise<DataSource> {
  const scope = lastFirst(parent);
  const { url } = await testDatabase(scope);
  const options = { url, poolSize, statementTimeoutMs: 600_000, entities, migrations: [] };
  const db = await createDataSource(options).initialize();
  scope.after(() => db.destroy());
  return db;
}

/** What lists read from, of one database. */
export const timeLimited = (db: DataSource): TimeLimited => ({
  query: (sql, parameters) => db.query(sql, parameters),
  queryWithin: (limitMs, sql, parameters) =>
    allWithin(db, limitMs, (tx) => tx.query(sql, parameters)),
});
