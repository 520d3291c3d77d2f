import { rows, type Queryable } from '../../database/sql.js';

/** Rows that one statement looks at, however few of them pass a filter: a tenth of a second. */
const mostExamined = 50_000;

interface Examination {
  readonly table: string;
  /** What is selected of it. */
  readonly columns: string;
  /** What an index finds; then what is checked row by row, or nothing. */
  readonly where: string;
  readonly filter: string | undefined;
  /** Columns that the index is sorted by. */
  readonly order: readonly string[];
  readonly values: readonly unknown[];
  readonly limit: number;
}

/** Rows that pass, the last one first, and where to continue; undefined: there are no others. */
export interface Examined<Row> {
  readonly found: readonly Row[];
  readonly end: Row | undefined;
}

/**
 * Reads from the end of an index until there are `limit` rows that pass the filter, or until a
 * bounded number has been looked at: then the caller continues, and no statement takes long.
 */
export async function examine<Row>(
  db: Queryable,
  { table, columns, where, filter, order, values, limit }: Examination,
): Promise<Examined<Row>> {
  const most = filter === undefined ? limit : Math.max(limit, mostExamined);
  const [first, last] = ['DESC', 'ASC'].map((way) => order.map((one) => `${one} ${way}`).join());
  const read = await rows<Row & { readonly passes: boolean }>(
    db,
    `WITH seen AS MATERIALIZED (
       SELECT * FROM ${table} WHERE ${where} ORDER BY ${first} LIMIT ${most}
     ), found AS (
       SELECT true AS passes, * FROM seen WHERE ${filter ?? 'true'} ORDER BY ${first} LIMIT ${limit}
     ), oldest AS (
       SELECT false AS passes, * FROM seen
       WHERE (SELECT count(*) FROM seen) = ${most} ORDER BY ${last} LIMIT 1
     )
     SELECT ${columns}, passes
     FROM (SELECT * FROM found UNION ALL SELECT * FROM oldest) AS read
     ORDER BY passes DESC, ${first}`,
    [...values],
  );
  const found = read.filter(({ passes }) => passes);
  const end = found.length === limit ? found.at(-1) : read.find(({ passes }) => !passes);
  return { found, end };
}
