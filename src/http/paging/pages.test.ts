import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pages, type FoundPage, type ListTotals } from './pages.js';

const pages = new Pages(Buffer.alloc(32));

/** The total that a client is told with a page, by which it goes on while its next index is below. */
async function told(
  index: number,
  found: Pick<FoundPage, 'count' | 'more'>,
  totals: Omit<ListTotals, 'bytes'>,
): Promise<number> {
  const source = {
    find: () => Promise.resolve({ ...found, lastKey: found.count > 0 ? ['key'] : undefined }),
    totals: () => Promise.resolve({ bytes: 0, ...totals }),
  };
  return (await pages.of({ list: 'list', index, size: 2 }, source)).totals.items;
}

test('a page and a total of two moments: the client goes on if more follows, and otherwise ends', async () => {
  const [full, last, none] = [
    { count: 2, more: true },
    { count: 1, more: false },
    { count: 0, more: false },
  ];
  assert.equal(await told(2, full, { items: 4 }), 5, 'items were added since the total');
  assert.equal(await told(2, full, { items: 9 }), 9);
  assert.equal(await told(2, last, { items: 9 }), 3, 'items were deleted since the total');
  assert.equal(await told(2, last, { items: 3 }), 3);
  assert.equal(await told(9, none, { items: 5 }), 5, 'beyond the end');
});

test('a total that is a lower bound rises with each page, and is exact at the end', async () => {
  const bound = { items: 5, exact: false };
  assert.equal(await told(2, { count: 2, more: true }, bound), 5);
  assert.equal(await told(10, { count: 2, more: true }, bound), 13);
  assert.equal(await told(10, { count: 2, more: false }, bound), 12);
  assert.equal(await told(90, { count: 0, more: false }, bound), 5, 'beyond the end');
});
