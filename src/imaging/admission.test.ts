import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesPerMegabyte } from '../base/units.js';
import { Admission, type CostClass } from './admission.js';

/** Admits as many as it can. */
function fill(admission: Admission, costClass: CostClass, bytes = bytesPerMegabyte) {
  const slots = [];
  while (admission.admits(costClass, bytes)) slots.push(admission.enter(costClass, bytes));
  return slots;
}

test('each cost class has a slot that the other cannot take', () => {
  for (const threads of [1, 2, 8]) {
    const heavyFirst = new Admission(threads, 64 * 1024 * bytesPerMegabyte);
    assert.equal(fill(heavyFirst, 'heavy').length, Math.max(1, threads - 1));
    assert.ok(fill(heavyFirst, 'quick').length >= 1);
    const quickFirst = new Admission(threads, 64 * 1024 * bytesPerMegabyte);
    assert.equal(fill(quickFirst, 'quick').length, threads);
    assert.equal(fill(quickFirst, 'heavy').length, 1);
  }
});

test('large images wait for memory, and do not take that of the other class', () => {
  const admission = new Admission(8, 1024 * bytesPerMegabyte);
  const [first, second, ...none] = fill(admission, 'heavy', 200 * bytesPerMegabyte);
  assert.ok(first && second && none.length === 0);
  assert.equal(admission.admits('heavy', 20 * bytesPerMegabyte), false);
  assert.equal(fill(admission, 'quick', 16 * bytesPerMegabyte).length > 4, true);
  first.leave();
  assert.equal(admission.admits('heavy', 200 * bytesPerMegabyte), true);
});

test('an image larger than all available memory is admitted alone', () => {
  const admission = new Admission(4, 1024 * bytesPerMegabyte);
  const slot = admission.enter('heavy', 1800 * bytesPerMegabyte);
  assert.equal(admission.admits('heavy', bytesPerMegabyte), false);
  assert.equal(admission.admits('quick', bytesPerMegabyte), true);
  slot.leave();
  assert.equal(admission.admits('heavy', 1800 * bytesPerMegabyte), true);
});

test('an image that turns out to be heavy frees its quick slot, if a heavy slot is free', () => {
  const admission = new Admission(2, 4096 * bytesPerMegabyte);
  const [a, b, ...none] = fill(admission, 'quick');
  assert.ok(a && b && none.length === 0);
  assert.equal(a.becomesHeavy(), true);
  assert.equal(a.becomesHeavy(), true);
  assert.equal(b.becomesHeavy(), false);
  assert.equal(admission.admits('quick', bytesPerMegabyte), true);
  a.leave();
  assert.equal(b.becomesHeavy(), true);
});
