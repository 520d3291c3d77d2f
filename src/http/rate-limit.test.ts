import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RateCounter } from './rate-limit.js';

/** A limiter whose clock the test controls. */
function limitAt(perMinute: number) {
  const clock = { ms: 1_000_000 };
  return { clock, limit: new RateCounter(perMinute, () => clock.ms) };
}

const allowed = (limit: RateCounter, key: string, tries: number): number =>
  Array.from({ length: tries }, () => limit.take(key)).filter((wait) => wait === 0).length;

describe('a rate limit', () => {
  for (const perMinute of [1, 7, 60, 1000]) {
    test(`allows ${perMinute} at once and no more`, () => {
      const { limit } = limitAt(perMinute);
      assert.equal(allowed(limit, 'a', perMinute * 2), perMinute);
    });
  }

  test('returns how long to wait, and is right about it', () => {
    const { clock, limit } = limitAt(6);
    assert.equal(allowed(limit, 'a', 6), 6);
    assert.equal(limit.take('a'), 10);
    clock.ms += 9_000;
    assert.equal(limit.take('a'), 1);
    clock.ms += 1_000;
    assert.equal(limit.take('a'), 0);
    assert.equal(limit.take('a'), 10);
  });

  test('recovers fully after a minute, and never exceeds the full limit', () => {
    const { clock, limit } = limitAt(5);
    assert.equal(allowed(limit, 'a', 10), 5);
    clock.ms += 60_000;
    assert.equal(allowed(limit, 'a', 10), 5);
    clock.ms += 3_600_000;
    assert.equal(allowed(limit, 'a', 10), 5);
  });

  test('lets steady traffic at the limit through indefinitely', () => {
    const { clock, limit } = limitAt(60);
    for (let i = 0; i < 1000; i += 1) {
      assert.equal(limit.take('a'), 0);
      clock.ms += 1000;
    }
  });

  test('counts each key separately', () => {
    const { limit } = limitAt(2);
    assert.equal(allowed(limit, 'a', 5), 2);
    assert.equal(allowed(limit, 'b', 5), 2);
  });

  test('remembers a bounded number of keys, preferring busy ones', () => {
    const { limit } = limitAt(1);
    limit.take('busy');
    for (let i = 0; i < 120_000; i += 1) {
      limit.take(`key ${i}`);
      if (i % 10_000 === 0) limit.take('other');
    }
    assert.equal(limit.size, 50_000);
    assert.equal(limit.take('key 119999'), 60);
    assert.equal(limit.take('busy'), 0, 'evicted by too many others');
  });
});
