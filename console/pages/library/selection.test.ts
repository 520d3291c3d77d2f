import '../../testing/browser';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { pageSize } from './grid/layout';
import { maxPageSize } from './listing';
import type { Image, ImageItem, Listing } from './listing';
import { Pages } from './pages';
import { maxSelected, Selection } from './selection';

const day = (index: number): string =>
  `202403${String(31 - Math.floor(index / 100)).padStart(2, '0')}`;

const item = (index: number): ImageItem => ({
  is_folder: false,
  data: { id: String(index), taken_at: null, created_at: `${day(index)}_120000` } as Image,
});

/** A list of images, 100 a day, that notes what is read of it. */
function listOf(total: number) {
  const asked: (readonly [start: number, count: number])[] = [];
  const listing: Listing = {
    key: 'list',
    read: (start, count, signal) => {
      asked.push([start, count]);
      signal?.throwIfAborted();
      const items = Array.from({ length: Math.max(0, Math.min(count, total - start)) }, (_, n) =>
        item(start + n),
      );
      return Promise.resolve({ total, megabytes: total, items });
    },
    countIn: ({ from, to }) => Promise.resolve(to === undefined ? 100 : from === to ? 100 : 0),
  };
  return { pages: new Pages(listing), asked };
}

test('of a long list, only what is in view is read, once it has rested there', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const { pages, asked } = listOf(100_000);
  pages.see(0, 50);
  await rest(t);
  assert.deepEqual(asked, [[0, pageSize]]);
  assert.equal(pages.total, 100_000);
  assert.equal(pages.at(59)?.data.id, '59');
  assert.equal(pages.at(60), undefined);

  // Scrolled past within less time: nothing of it is read.
  for (let first = 600; first < 90_000; first += 600) pages.see(first, first + 50);
  pages.see(99_970, 100_000);
  await rest(t);
  assert.deepEqual(asked.slice(1), [[99_960, pageSize]]);
  assert.equal(pages.at(99_999)?.data.id, '99999');

  // What was read is kept for a while, and read anew when something has changed.
  pages.see(0, 50);
  await rest(t);
  assert.equal(asked.length, 2);
  pages.refresh();
  assert.equal(pages.at(0)?.data.id, '0');
  await rest(t);
  assert.deepEqual(asked.slice(2), [[0, pageSize]]);
  pages.stop();
});

test('a page that is no longer in view is forgotten after others', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const { pages } = listOf(100_000);
  for (let page = 0; page <= 41; page += 1) {
    pages.see(page * pageSize, (page + 1) * pageSize);
    await rest(t);
  }
  assert.equal(pages.at(0), undefined);
  assert.equal(pages.at(41 * pageSize)?.data.id, String(41 * pageSize));
  assert.ok(pages.days(0), 'what was laid out stays where it is');
});

test('items are selected one by one, as a range, as a day and all, also those that were never in view', async () => {
  const { pages, asked } = listOf(12_000);
  const selection = new Selection(pages);
  const selected = (): number[] => [...selection.items.value.keys()].map(Number);
  await read(pages);
  for (const index of [3, 3, 5]) selection.toggle(index);
  assert.deepEqual(selected(), [5]);
  assert.ok(selection.has(pages.at(5)) && !selection.has(pages.at(3)));
  selection.toggle(9_999);
  assert.deepEqual(selected(), [5], 'what is not there cannot be selected');
  await selection.extendTo(2);
  assert.deepEqual(selected(), [2, 3, 4, 5]);

  // A day: once more, and it is selected no longer.
  await selection.toggleRange(4, 100);
  assert.deepEqual(selected().length, 102);
  await selection.toggleRange(4, 100);
  assert.deepEqual(selected(), [2, 3]);

  asked.length = 0;
  await selection.all();
  assert.equal(selection.items.value.size, maxSelected);
  assert.ok(asked.every(([, count]) => count <= maxPageSize));
  selection.clear();
  assert.deepEqual(selected(), []);
});

test('what is selected meanwhile is not replaced by a selection that is still read', async () => {
  const { pages } = listOf(500);
  const selection = new Selection(pages);
  await read(pages);
  const all = selection.all();
  selection.clear();
  await all;
  assert.equal(selection.items.value.size, 0);
});

/** As if what is in view had been there for a while. */
async function rest({ mock }: TestContext): Promise<void> {
  mock.timers.tick(100);
  await new Promise((resolve) => setImmediate(resolve));
}

/** Reads the first page. */
async function read(pages: Pages): Promise<void> {
  const seen = new Promise((resolve) =>
    pages.version.subscribe(() => pages.total > 0 && resolve(0)),
  );
  pages.see(0, 50);
  await seen;
}
