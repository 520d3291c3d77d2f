import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as marks from './marks';
import type { Mark, Point } from './marks';
import type { Box } from '../stage/zoom';

const line = (tool: Mark['tool'], ...points: Point[]): Mark => ({
  tool,
  ink: 'red',
  width: 8,
  points,
});
const at = (x: number, y: number): Point => ({ x, y });

describe('marks on pictures', () => {
  test('a point of the frame is that of the picture below it, however it is zoomed and moved', () => {
    const picture = { width: 4_000, height: 3_000 };
    const extent = {
      frame: { width: 1_000, height: 600 },
      shown: { width: 800, height: 600 },
      real: 5,
    };
    const fits = marks.placementOf(picture, extent, { scale: 1, x: 0, y: 0 });
    assert.deepEqual(fits, { by: 0.2, x: 100, y: 0 });
    assert.deepEqual(marks.pointAt(fits, at(100, 600)), at(0, 3_000));
    const close = marks.placementOf(picture, extent, { scale: 2, x: 50, y: -30 });
    // The middle of the picture is where the zoom has moved it.
    assert.deepEqual(marks.pointAt(close, at(550, 270)), at(2_000, 1_500));
    assert.deepEqual(marks.pointAt(close, at(650, 270)), at(2_250, 1_500));
  });

  test('lines are as wide on a small picture as on a large one', () => {
    assert.equal(marks.lineOf({ width: 4_000, height: 3_000 }, 2), 20);
    assert.equal(marks.lineOf({ width: 300, height: 400 }, 2), 2);
    assert.equal(marks.lineOf({ width: 30, height: 40 }, 1), 1);
  });

  test('a pen keeps its way but for points too near; a shape keeps where it began and is now', () => {
    const pen = [at(1, 0), at(3, 0), at(10, 0)].reduce(
      (mark, to) => marks.extended(mark, to),
      line('pen', at(0, 0)),
    );
    assert.deepEqual(pen.points, [at(0, 0), at(3, 0), at(10, 0)]);
    const shape = [at(1, 0), at(30, 40)].reduce(
      (mark, to) => marks.extended(mark, to),
      line('arrow', at(0, 0)),
    );
    assert.deepEqual(shape.points, [at(0, 0), at(30, 40)]);
  });

  test('a click with a pen is a dot, one with a shape and a text without letters are nothing', () => {
    assert.ok(marks.isSeen(line('pen', at(0, 0))));
    assert.ok(!marks.isSeen(line('ellipse', at(0, 0))));
    assert.ok(!marks.isSeen(line('ellipse', at(0, 0), at(3, 4))));
    assert.ok(marks.isSeen(line('ellipse', at(0, 0), at(30, 40))));
    assert.ok(!marks.isSeen({ ...line('text', at(0, 0)), text: ' ' }));
    assert.ok(marks.isSeen({ ...line('text', at(0, 0)), text: 'A' }));
  });

  test('the head of an arrow is at its end, and no longer than it', () => {
    const { corners, end } = marks.arrowOf(at(0, 0), at(100, 0), 8);
    assert.deepEqual(end, at(60, 0));
    assert.deepEqual(corners, [at(60, 20), at(60, -20)]);
    assert.deepEqual(marks.arrowOf(at(0, 0), at(0, 10), 8).end, at(0, 0));
  });

  test('a picture beyond what a canvas holds becomes smaller, and keeps its form', () => {
    const most = (size: Box) => marks.bounded(size, 16_777_216, 16_384);
    assert.deepEqual(most({ width: 4_096, height: 4_096 }), { width: 4_096, height: 4_096 });
    assert.deepEqual(most({ width: 8_192, height: 8_192 }), { width: 4_096, height: 4_096 });
    assert.deepEqual(most({ width: 32_768, height: 100 }), { width: 16_384, height: 50 });
  });

  test('steps are taken back and again, until another one is made', () => {
    const [one, other] = [line('pen', at(0, 0)), line('arrow', at(0, 0), at(9, 9))];
    const both = marks.became(marks.became(marks.nothing, [one]), [one, other]);
    assert.deepEqual(marks.marksOf(marks.undone(both)), [one]);
    assert.deepEqual(marks.marksOf(marks.undone(marks.undone(marks.undone(both)))), []);
    assert.deepEqual(marks.marksOf(marks.redone(marks.undone(both))), [one, other]);
    assert.deepEqual(marks.redone(both), both);
    const anew = marks.became(marks.undone(both), []);
    assert.deepEqual(marks.marksOf(marks.redone(anew)), []);
    assert.deepEqual(marks.marksOf(marks.undone(anew)), [one]);
  });
});
