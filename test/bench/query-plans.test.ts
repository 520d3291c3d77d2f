import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workOf } from '../../bench/query-plans.js';

const plan = `2026-01-01 00:00:00.000 UTC [1] LOG:  duration: 1.000 ms  plan:
\tQuery Text: SELECT 1
\tLimit  (cost=0.56..9.20 rows=60 width=16) (actual time=0.1..0.2 rows=60 loops=1)
\t  ->  Sort  (cost=0.56..9.20 rows=60 width=16) (actual time=0.1..0.2 rows=400 loops=2)
\t        Sort Key: created_at
\t        ->  Nested Loop  (cost=0.56..9.20 rows=60 width=16) (actual time=0.1..0.2 rows=60 loops=1)
\t              ->  Seq Scan on images i  (cost=0.00..9.20 rows=60 width=16) (actual time=0.1..0.2 rows=3000 loops=1)
\t                    Filter: (deleted_at IS NULL)
\t                    Rows Removed by Filter: 500
\t              ->  Index Only Scan using places_pkey on places p  (cost=0.43..8.45 rows=1 width=4) (actual time=0.1..0.2 rows=2 loops=60)
\t                    Index Cond: (user_id = $1)
\t                    Heap Fetches: 0
\t              ->  Bitmap Heap Scan on memos  (cost=0.43..8.45 rows=1 width=4) (actual time=0.1..0.2 rows=7 loops=1)
\t                    ->  Bitmap Index Scan on memos_search  (cost=0.0..1.0 rows=1 width=0) (actual time=0.1..0.1 rows=9 loops=1)
\t              ->  Subquery Scan on found  (cost=0.43..8.45 rows=1 width=4) (actual time=0.1..0.2 rows=900 loops=1)
\t              ->  Seq Scan on users  (cost=0.00..9.20 rows=60 width=16) (actual time=0.1..0.2 rows=9 loops=1)`;

test('a plan summary has rows found and filtered, rows sorted, and full scans of large tables', () => {
  assert.deepEqual(workOf([plan]), {
    statements: 1,
    scanned: 3_000 + 500 + 120 + 7 + 9,
    sorted: 800,
    sequential: ['images'],
  });
});
