import { row, rows, type Queryable } from '../../database/sql.js';

/** A sort order that has changed since indexes were built with it. */
export interface Drift {
  readonly id: number;
  /** What to refresh, in SQL: a collation, or the database for its default one. */
  readonly name: string;
  readonly recorded: string;
  readonly actual: string;
}

/** Checks the collations that our indexes use, and the default one of the database. */
export const selectDrift = (db: Queryable): Promise<Drift[]> =>
  rows(
    db,
    `SELECT c.oid::int AS id, 'COLLATION ' || c.oid::regcollation AS name, c.collversion AS recorded,
            pg_collation_actual_version(c.oid) AS actual
     FROM pg_collation c
     WHERE c.collversion <> pg_collation_actual_version(c.oid)
       AND EXISTS (SELECT FROM pg_index i WHERE c.oid = ANY (i.indcollation))
     UNION ALL
     SELECT 100, 'DATABASE ' || quote_ident(datname), datcollversion,
            pg_database_collation_actual_version(oid)
     FROM pg_database
     WHERE datname = current_database()
       AND datcollversion <> pg_database_collation_actual_version(oid)`,
  );

/** Statements that rebuild the indexes, without blocking a running service where possible. */
const selectReindexing = (db: Queryable, collation: number): Promise<{ statement: string }[]> =>
  rows(
    db,
    `SELECT 'REINDEX INDEX ' || CASE WHEN i.indisexclusion THEN '' ELSE 'CONCURRENTLY ' END
              || i.indexrelid::regclass AS statement
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE $1::oid = ANY (i.indcollation) AND c.relnamespace = current_schema()::regnamespace
     ORDER BY c.relname`,
    [collation],
  );

/**
 * Rebuilds the indexes of a sort order, and only then records its new version.
 * @param session without a statement timeout. @returns how many indexes there were.
 */
export async function rebuildByCollation(session: Queryable, drift: Drift): Promise<number> {
  const statements = await selectReindexing(session, drift.id);
  for (const { statement } of statements) await rows(session, statement);
  const collation = drift.name.startsWith('DATABASE') ? 'COLLATION ' : '';
  await rows(session, `ALTER ${drift.name} REFRESH ${collation}VERSION`);
  return statements.length;
}

/** The name of the database that a session is in. */
export async function selectDatabaseName(db: Queryable): Promise<string> {
  const found = await row<{ name: string }>(db, 'SELECT quote_ident(current_database()) AS name');
  return found?.name ?? '';
}
