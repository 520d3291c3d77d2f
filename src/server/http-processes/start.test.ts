import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Sample } from '../../base/telemetry/series.js';
import { ProcessMetrics } from './start.js';

const counted = (value: number): Sample[] => [
  { name: 'c', help: 'c', type: 'counter', aggregator: 'sum', values: [{ labels: {}, value }] },
];

const sum = (samples: readonly Sample[][]): number =>
  samples
    .flat()
    .flatMap(({ values }) => values)
    .reduce((total, { value }) => total + value, 0);

/** A process that reports what it has counted so far. */
class Process {
  count = 0;
  readonly key = this;
  ask = async (): Promise<Sample[]> => counted(this.count);
}

describe('the metrics of several processes', () => {
  test('never decrease when one ends, even while it is queried', async () => {
    const metrics = new ProcessMetrics();
    const [a, b] = [new Process(), new Process()];
    [a.count, b.count] = [5, 3];
    assert.equal(sum(await metrics.of([a, b])), 8);
    b.count = 4; // not reported any more
    metrics.ended(b);
    assert.equal(sum(await metrics.of([a])), 8);
    a.ask = async () => {
      metrics.ended(a);
      throw new Error('gone');
    };
    assert.equal(sum(await metrics.of([a])), 8);
    assert.equal(sum(await metrics.of([])), 8);
  });

  test('an answer that arrives after the end counts once', async () => {
    const metrics = new ProcessMetrics();
    const a = new Process();
    a.count = 5;
    assert.equal(sum(await metrics.of([a])), 5);
    a.ask = async () => {
      metrics.ended(a);
      return counted(6);
    };
    assert.equal(sum(await metrics.of([a])), 5);
    assert.equal(sum(await metrics.of([])), 5);
  });
});
