/**
 * The cost of searches of one user's images, independent of other load: the database pages that each
 * statement of a first page of 60 reads, and the time it took.
 *
 *     node dist/bench/search-buffers.js URL USER
 */
import { DataSource } from 'typeorm';
import { row, queryWithin, type TimeLimited } from '../src/database/sql.js';
import { SearchPage } from '../src/library/images/list/search-pages.js';
import type { Search } from '../src/library/images/list/search.js';

const searches: readonly Search[] = [
  { type: 'address', words: '세종대로 123' },
  { type: 'building_name', words: '건물 77' },
  { type: 'filename', words: 'abcdef' },
  { type: 'memo', words: '확인할 곳 77' },
  { type: 'custom', words: 'A-77' },
  { type: 'folder', words: '현장 77' },
  { type: 'all', words: '77' },
  { type: 'all', words: '서울' },
  { type: 'address', words: '99' },
  { type: 'address', words: '부산' },
  { type: 'filename', words: 'zz' },
  { type: 'all', words: '각' },
];

interface Plan {
  readonly Plan: Record<'Shared Hit Blocks' | 'Shared Read Blocks', number>;
  readonly 'Planning Time': number;
  readonly 'Execution Time': number;
}

const [url, userId] = process.argv.slice(2);
if (!url || !userId) throw new Error('Usage: node dist/bench/search-buffers.js URL USER');
const db = await new DataSource({ type: 'postgres', url, extra: { max: 1 } }).initialize();

/** Runs each statement twice, once with EXPLAIN to measure its cost. */
function explaining(costs: string[]): TimeLimited {
  const query = async (sql: string, values?: unknown[]): Promise<unknown> => {
    const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`;
    const found = await row<{ 'QUERY PLAN': [Plan] }>(db, explain, values);
    const [plan] = found?.['QUERY PLAN'] ?? [];
    if (plan) {
      const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = plan.Plan;
      const ms = plan['Planning Time'] + plan['Execution Time'];
      costs.push(`${hit + read} (${ms.toFixed(1)} ms)`);
    }
    return db.query(sql, values);
  };
  return {
    query,
    queryWithin: async (limitMs, sql, values) => {
      await query(sql, values);
      return queryWithin(db, limitMs, sql, values);
    },
  };
}

for (const search of searches) {
  const costs: string[] = [];
  const page = new SearchPage(explaining(costs), userId, { trash: null, periods: [], search });
  const found = await page.rows({ offset: 0 }, 61);
  const { items, exact } = await page.totals(undefined);
  const what = `${search.type} ${JSON.stringify(search.words)}`.padEnd(26);
  console.log(
    `${what} ${found.length} of ${exact === false ? '≥ ' : ''}${items}: ${costs.join(', ')}`,
  );
}
await db.destroy();
