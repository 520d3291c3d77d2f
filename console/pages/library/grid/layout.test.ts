import assert from 'node:assert/strict';
import { test } from 'node:test';
import { depthOf, drawnHeight, geometryOf, topOf } from './geometry';
import { Buckets } from '../buckets';
import { groupsOf, Layout } from './layout';
import type { Measures } from './layout';

/** Five pictures fit beside each other: squares, or about as many as are high and wide in turn. */
const squares: Measures = {
  width: 516,
  height: 100,
  columns: 5,
  gap: 4,
  head: 48,
  ratioAt: () => 1,
  usualRatio: 1,
};
const filling: Measures = {
  ...squares,
  columns: undefined,
  ratioAt: (index) => (index % 2 === 0 ? 1.4 : 0.6),
};

/** Days before the last one of 2024, with so many images. */
const daysOf = (counts: readonly number[]) =>
  new Buckets(counts.map((count, n) => ({ date: 20_241_231 - n, count })));

const layoutOf = (counts: readonly number[], of = squares, by: 'day' | 'month' = 'day'): Layout =>
  new Layout(groupsOf(daysOf(counts).days, by), of);

const allRows = (layout: Layout) => layout.rowsIn(0, layout.height);
const rightOf = (layout: Layout, row: ReturnType<typeof allRows>[number]): number => {
  const last = layout.boxesOf(row).at(-1);
  return (last?.left ?? 0) + (last?.width ?? 0);
};

test('a frame touches the images that it overlaps, in rows that days share, too', () => {
  const layout = layoutOf([7, 1, 2]);
  const touched = (left: number, right: number, top: number, bottom: number) =>
    layout.touched({ left, right, top, bottom });
  assert.deepEqual(touched(-9, 150, 100, 200), [0, 1, 5, 6]);
  assert.deepEqual(touched(100, 104, 100, 100), [], 'between two');
  assert.deepEqual(touched(-9, 600, 148, 152), [], 'between rows');
  assert.deepEqual(touched(0, 195, 310, 310), [7, 8], 'of two days');
  assert.deepEqual(touched(101, 189, 310, 900), [], 'beside the last of a day');
});

test('a day has rows of its own under its name, and short days share one', () => {
  const layout = layoutOf([7, 1, 2, 12]);
  assert.deepEqual(
    layout
      .bandsIn(0, layout.height)
      .map(({ groups }) => groups.map(({ first, end, left }) => [first, end, left])),
    [
      [[0, 7, 0]],
      [
        [7, 8, 0],
        [8, 10, 190],
      ],
      [[10, 22, 0]],
    ],
    'a name has room',
  );
  assert.deepEqual(
    allRows(layout).map(({ first, end }) => [first, end]),
    [
      [0, 5],
      [5, 7],
      [7, 10],
      [10, 15],
      [15, 20],
      [20, 22],
    ],
  );
  assert.equal(layout.height, 3 * 48 + 6 * 104);
  assert.equal(layout.rowOf(7).top, 48 + 208 + 48);
  assert.equal(layout.topOf(7), 48 + 208, 'with the name of its day');
  assert.equal(layout.topOf(6), 152);
  assert.equal(layoutOf([7, 1, 2, 12], squares, 'month').height, 48 + 5 * 104);
});

test('rows are as high as it takes to fill the width with whole pictures', () => {
  const layout = layoutOf([130, 61, 240], filling);
  for (const row of allRows(layout)) {
    assert.ok(row.height >= 60 && row.height <= 135, `from ${row.first}: ${row.height}`);
    assert.equal(Math.round(rightOf(layout, row)), filling.width, `from ${row.first}`);
    for (const [n, { width }] of layout.boxesOf(row).entries()) {
      const shown = width / row.height;
      assert.ok(Math.abs(shown / filling.ratioAt(row.first + n) - 1) < 0.03, `${row.first + n}`);
    }
  }
  // Where names need more room than pictures, too.
  const high = { ...filling, width: 1_600, height: 180, ratioAt: (n: number) => (n < 3 ? 0.5 : 2) };
  for (const row of allRows(layoutOf([1, 1, 1, 3], high))) {
    assert.ok(rightOf(layoutOf([1, 1, 1, 3], high), row) <= 1_600);
  }
  const few = allRows(layoutOf([2, 300], filling))[0];
  assert.equal(few?.height, 100, 'two pictures are not made large to fill a row');
});

test('what is read later changes how high rows are, but not which days are beside each other', () => {
  const counts = [1, 2, 1, 3, 250, 1, 2, 2, 1, 1];
  const bandsOf = (of: Measures) => {
    const layout = layoutOf(counts, of);
    return layout.bandsIn(0, layout.height).map(({ groups }) => groups.map(({ first }) => first));
  };
  const unread = { ...filling, ratioAt: () => 1 };
  assert.deepEqual(bandsOf(filling), bandsOf(unread));
  // Of a long day, what has been read is laid out as it is, whatever becomes known of the rest.
  const partly = { ...filling, ratioAt: (n: number) => (n < 200 ? filling.ratioAt(n) : 1) };
  const rowsIn = (of: Measures) =>
    allRows(layoutOf([300], of))
      .filter(({ end }) => end <= 200)
      .map(({ top, first }) => [top, first]);
  assert.deepEqual(rowsIn(partly), rowsIn(filling));
});

test('arrows go from day to day below and above, and stay in the list', () => {
  const layout = layoutOf([7, 1, 12]);
  const move = (key: string, from: number) => layout.move(key, from, 210);
  assert.deepEqual(
    [move('ArrowDown', 1), move('ArrowDown', 6), move('ArrowDown', 7), move('ArrowDown', 19)],
    [6, 7, 8, 19],
  );
  assert.deepEqual([move('ArrowUp', 12), move('ArrowUp', 7), move('ArrowUp', 3)], [7, 5, 3]);
  assert.deepEqual([move('ArrowLeft', 0), move('ArrowRight', 19)], [0, 19]);
  assert.deepEqual(
    [move('PageDown', 5), move('PageUp', 13), move('PageUp', 5), move('Home', 9), move('End', 9)],
    [7, 7, 0, 0, 19],
  );
  assert.equal(move('x', 3), undefined);
  assert.equal(layoutOf([]).move('End', 0, 10), undefined);
});

test('arrows lead to the picture that is the nearest above and below', () => {
  const layout = layoutOf([5, 1, 2, 5]);
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((from) => layout.move('ArrowDown', from, 0)),
    [5, 6, 6, 7, 7],
  );
  assert.deepEqual(
    [8, 10, 11, 12].map((from) => layout.move('ArrowUp', from, 0)),
    [5, 6, 7, 7],
  );
});

test('bands and rows lie one below the other, and each image is in one of them', () => {
  const lists = [[130, 3, 1], [61, 59, 60], [1, 200], [1, 1, 1, 1, 1, 1, 1], [3], [1_003]];
  for (const [counts, of] of lists.flatMap((each) => [
    [each, squares] as const,
    [each, filling] as const,
  ])) {
    const layout = layoutOf(counts, of);
    const total = counts.reduce((sum, count) => sum + count, 0);
    let [top, next] = [0, 0];
    for (const band of layout.bandsIn(0, layout.height)) {
      assert.equal(band.top, top);
      top += of.head;
      for (const row of layout.rowsIn(band.top, band.top + band.height)) {
        assert.deepEqual([row.top, row.first], [top, next], counts.join());
        assert.ok(rightOf(layout, row) <= of.width, `${counts.join()}: ${rightOf(layout, row)}`);
        [top, next] = [top + row.height + of.gap, row.end];
      }
    }
    assert.deepEqual([top, next], [layout.height, total], counts.join());
  }
});

test('of a long list only what is between two depths is drawn, and a depth leads to an image', () => {
  const layout = layoutOf([600, 3, 90]);
  const [from, to] = [layout.rowOf(310).top, layout.rowOf(310).bottom + 150];
  assert.deepEqual(
    layout.rowsIn(from, to).map(({ first }) => first),
    [310, 315, 320],
  );
  assert.equal(layout.indexAt(from), 310);
  assert.equal(layout.indexAt(from - 50), 310);
  assert.equal(layout.indexAt(layout.topOf(600)), 600);
  assert.equal(layout.indexAt(0), 0);
});

test('pictures fill the width: uncropped, or on narrow screens as squares, at least two', () => {
  assert.deepEqual(geometryOf(1_000, 180, false), {
    columns: undefined,
    height: 180,
    ratio: undefined,
  });
  assert.deepEqual(geometryOf(364, 120, false), { columns: 3, height: 118, ratio: 1 });
  assert.deepEqual(geometryOf(200, 320, false), { columns: 2, height: 98, ratio: 1 });
  assert.equal(geometryOf(1_040, 180, true).columns, 1);
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
