import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs, hourMs, minuteMs } from '../../../base/units.js';
import { periodOf } from './upkeep.js';

test('the period of a job is derived from its cron expression', () => {
  assert.equal(periodOf('* * * * *'), minuteMs);
  assert.equal(periodOf('*/10 * * * *'), 10 * minuteMs);
  assert.equal(periodOf('5-59/10 * * * *'), 10 * minuteMs);
  assert.equal(periodOf('2 * * * *'), hourMs);
  assert.equal(periodOf('47 3 * * *'), dayMs);
});
