import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Image, Listing } from '../listing';
import { readMonths, readYears } from './calendar';

const { signal } = new AbortController();

/** A list of images of these days, the newest first, and what was counted of it. */
function listOf(days: readonly string[]) {
  const counted: string[] = [];
  const listing: Listing = {
    key: 'list',
    read: (start, count) =>
      Promise.resolve({
        total: days.length,
        megabytes: 0,
        items: days.slice(start, start + count).map((day) => ({
          is_folder: false,
          data: { taken_at: `${day.replaceAll('-', '')}_120000`, created_at: '' } as Image,
        })),
      }),
    countIn: ({ from = '', to = '' }) => {
      counted.push(`${from}/${to}`);
      return Promise.resolve(days.filter((day) => day >= from && day <= to).length);
    },
  };
  return { listing, counted };
}

test('years and months begin where the images before them end; those without images are left out', async () => {
  const days = ['2024-12-31', '2024-12-01', '2024-02-29', '2019-06-01', '2019-01-31', '2019-01-01'];
  const { listing } = listOf(days);
  const years = await readYears(listing, signal);
  assert.deepEqual(years, [
    { name: '2024', index: 0, count: 3 },
    { name: '2019', index: 3, count: 3 },
  ]);
  assert.deepEqual(await readMonths(listing, years[0]!, signal), [
    { name: '2024-12', index: 0, count: 2 },
    { name: '2024-02', index: 2, count: 1 },
  ]);
  assert.deepEqual(await readMonths(listing, years[1]!, signal), [
    { name: '2019-06', index: 3, count: 1 },
    { name: '2019-01', index: 4, count: 2 },
  ]);
});

test('periods are counted in halves, and not at all once they are known to be empty', async () => {
  const { listing, counted } = listOf(['2024-05-01']);
  await readMonths(listing, { name: '2024', index: 0, count: 1 }, signal);
  assert.deepEqual(counted, [
    '2024-07-01/2024-12-31',
    '2024-04-01/2024-06-30',
    '2024-06-01/2024-06-30',
    '2024-05-01/2024-05-31',
  ]);
  assert.deepEqual(await readYears(listOf([]).listing, signal), []);
});
