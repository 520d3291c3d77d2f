import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extentOf, fit, fitted, moved, zoomed } from './zoom';

const picture = { width: 4_000, height: 3_000 };
const frame = { width: 1_000, height: 600 };

test('a picture fits into its frame, also turned', () => {
  assert.deepEqual(fitted(picture, frame, 0), { width: 800, height: 600 });
  assert.deepEqual(fitted(picture, frame, 3), { width: 600, height: 450 });
  assert.deepEqual(extentOf(picture, frame, 1, 2), {
    frame,
    shown: { width: 450, height: 600 },
    real: 4_000 / 600 / 2,
  });
});

test('what is below the pointer stays there, until an edge is reached', () => {
  const extent = extentOf(picture, frame, 0, 1);
  const close = zoomed(fit, 2, extent, { x: 100, y: -50 });
  assert.deepEqual(close, { scale: 2, x: -100, y: 50 });
  assert.deepEqual(moved(close, 1e6, -1e6, extent), { scale: 2, x: 300, y: -300 });
  assert.deepEqual(moved(fit, 50, 50, extent), fit, 'what fits is not moved');
  assert.deepEqual(zoomed(moved(close, 1e6, 0, extent), 0.5, extent), fit);
});

test('zooming ends where pixels are large, and where all is seen', () => {
  const extent = extentOf(picture, frame, 0, 1);
  assert.equal(zoomed(fit, 1e3, extent).scale, 8 * 5);
  assert.equal(zoomed(fit, 1e-3, extent).scale, 1);
  const small = extentOf({ width: 100, height: 75 }, frame, 0, 1);
  assert.equal(zoomed(fit, 1e-3, small).scale, 0.125, 'a small one as large as it is');
});
