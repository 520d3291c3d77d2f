import assert from 'node:assert/strict';
import { test } from 'node:test';
import { depthOf, drawnHeight, geometryOf, topOf } from './geometry';
import { moveOf } from './keys';
import { Layout, pageSize } from './layout';
import type { DayStart, Extent, Facts } from './layout';

const measures = { columns: 5, pitch: 100, head: 48 };

/** A list of days, the newest first, of which some pages have been read. */
function factsOf(counts: readonly number[], read: (page: number) => boolean = () => true): Facts {
  const starts: DayStart[] = [];
  let total = 0;
  for (const [n, count] of counts.entries()) {
    starts.push({ day: `2024${String(1_231 - n)}`, index: total });
    total += count;
  }
  const dayAt = (index: number): DayStart => starts.findLast((start) => start.index <= index)!;
  return {
    total,
    days: (page) => {
      if (!read(page)) return undefined;
      const [from, end] = [page * pageSize, Math.min(total, (page + 1) * pageSize)];
      const within = starts.filter(({ index }) => index > from && index < end);
      return [{ day: dayAt(from).day, index: from }, ...within];
    },
    extent: (day): Extent | undefined => {
      const n = starts.findIndex((start) => start.day === day);
      return n < 0 ? undefined : { start: starts[n]!.index, count: counts[n]! };
    },
  };
}

test('each day begins a row of its own, under its name', () => {
  const layout = new Layout(factsOf([7, 1, 12]), measures);
  const rows = layout.rowsIn(0, layout.height);
  assert.deepEqual(
    rows.map(({ isHead, first, end }) => (isHead ? 'day' : `${first}-${end}`)),
    ['day', '0-5', '5-7', 'day', '7-8', 'day', '8-13', '13-18', '18-20'],
  );
  assert.equal(layout.height, 3 * 48 + 6 * 100);
  assert.equal(layout.rowOf(7)?.top, 48 + 200 + 48);
  assert.equal(layout.topOf(7), 48 + 200, 'with the name of its day');
  assert.equal(layout.topOf(6), 148);
});

test('arrows go from day to day below and above, and stay in the list', () => {
  const layout = new Layout(factsOf([7, 1, 12]), measures);
  const move = (key: string, from: number) => moveOf(key, from, { layout, perPage: 10, total: 20 });
  assert.deepEqual(
    [move('ArrowDown', 1), move('ArrowDown', 6), move('ArrowDown', 7), move('ArrowDown', 19)],
    [6, 7, 8, 19],
  );
  assert.deepEqual([move('ArrowUp', 12), move('ArrowUp', 7), move('ArrowUp', 3)], [7, 5, 3]);
  assert.deepEqual([move('ArrowLeft', 0), move('ArrowRight', 19)], [0, 19]);
  assert.deepEqual(
    [move('PageDown', 5), move('PageUp', 5), move('Home', 9), move('End', 9)],
    [15, 0, 0, 19],
  );
  assert.equal(move('x', 3), undefined);
  assert.equal(moveOf('End', 0, { layout, perPage: 10, total: 0 }), undefined);
});

test('a day of several pages goes on where the page before ends, and rows lie one below the other', () => {
  for (const counts of [[130, 3, 1], [61, 59, 60], [1, 200], [60, 60], [3]]) {
    const facts = factsOf(counts);
    const layout = new Layout(facts, measures);
    const rows = layout.rowsIn(0, layout.height);
    const images = rows.filter(({ isHead }) => !isHead);
    assert.deepEqual(
      images.flatMap(({ first, end }) => Array.from({ length: end - first }, (_, n) => first + n)),
      Array.from({ length: facts.total }, (_, n) => n),
      `all of ${counts.join()}, each once`,
    );
    let top = 0;
    for (const row of rows) {
      assert.equal(row.top, top);
      top += row.isHead ? measures.head : measures.pitch;
    }
    assert.equal(top, layout.height);
    const expected = counts.reduce((sum, count) => sum + Math.ceil(count / measures.columns), 0);
    assert.equal(images.length, expected, counts.join());
  }
});

test('what has not been read has the height of what has, and its place is known all the same', () => {
  const facts = factsOf([600], (page) => page === 0 || page === 5);
  const layout = new Layout(facts, measures);
  const [first, end] = layout.imagesIn(layout.topOf(310), layout.topOf(310));
  assert.deepEqual([first, end], [300, 360]);
  const [row] = layout.rowsIn(layout.topOf(310), layout.topOf(310) + 1);
  assert.equal(row?.day, '20241231', 'the day is known, by how many of it come before');
  const whole = new Layout(factsOf([600]), measures);
  assert.ok(Math.abs(layout.height - whole.height) <= measures.head * 10);
  assert.equal(layout.rowOf(130)?.day, undefined);
});

test('tiles fill the width, at least two beside each other', () => {
  assert.deepEqual(geometryOf(1_000, 180), { columns: 5, tile: 196 });
  assert.deepEqual(geometryOf(200, 320), { columns: 2, tile: 98 });
});

test('a list that is higher than browsers draw is scrolled to its end, and back', () => {
  const [height, seen] = [50_000_000, 800];
  assert.equal(drawnHeight(height), 12_000_000);
  assert.equal(drawnHeight(5_000), 5_000);
  const end = drawnHeight(height) - seen;
  assert.equal(depthOf(height, { top: end, height: seen }), height - seen);
  for (const depth of [-20, 0, 1_234_567, height - seen]) {
    const top = topOf(height, depth, seen);
    assert.ok(Math.abs(depthOf(height, { top, height: seen }) - depth) < 1e-3, String(depth));
  }
});
