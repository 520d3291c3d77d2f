import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { merged, expositionText } from './exposition.js';
import { Counter, Gauge, Histogram, lasting } from './series.js';

describe('series', () => {
  test('a histogram counts values up to each bound, bounds included', () => {
    const histogram = new Histogram({ name: 'h', help: 'h', labels: ['of'], bounds: [1, 2] });
    for (const value of [0.5, 1, 1.5, 9]) histogram.of('a').observe(value);
    const { type, values } = histogram.sample();
    assert.equal(type, 'histogram');
    assert.deepEqual(
      values.map(({ metricName, labels, value }) => [metricName, labels.le, labels.of, value]),
      [
        ['h_bucket', 1, 'a', 2],
        ['h_bucket', 2, 'a', 3],
        ['h_bucket', '+Inf', 'a', 4],
        ['h_sum', undefined, 'a', 12],
        ['h_count', undefined, 'a', 4],
      ],
    );
  });

  test('a gauge adds up watched values as long as they are watched', () => {
    const gauge = new Gauge({ name: 'g', help: 'g' });
    const ends = [1, 2].map((value) => gauge.of().watch(() => value));
    const read = (): (number | undefined)[] => gauge.sample().values.map(({ value }) => value);
    assert.deepEqual(read(), [3]);
    ends[0]?.();
    assert.deepEqual(read(), [2]);
  });

  test('replacing a gauge drops its earlier series; equal labels add up', () => {
    const gauge = new Gauge({ name: 'r', help: 'r', labels: ['platform'] });
    gauge.replace([[['old'], 1]]);
    gauge.replace([
      [['new'], 2],
      [['new'], 3],
    ]);
    const { values } = gauge.sample();
    assert.deepEqual(values, [{ labels: { platform: 'new' }, value: 5 }]);
  });

  test('processes are added up series by series; of an ended process, only counts stay', async () => {
    const counter = new Counter({ name: 'c', help: 'what is counted', labels: ['of'] });
    counter.startingWith('b').of('a"\n').add(2);
    const gauge = new Gauge({ name: 'now', help: 'n' });
    gauge.of().set(7);
    const process = [counter.sample(), gauge.sample()];
    const ended = await merged([lasting(process), lasting(process)]);
    assert.deepEqual(
      (await expositionText([process, ended])).split('\n').filter((line) => line !== ''),
      [
        '# HELP c what is counted',
        '# TYPE c counter',
        'c{of="b"} 0',
        'c{of="a\\"\\n"} 6',
        '# HELP now n',
        '# TYPE now gauge',
        'now 7',
      ],
    );
  });
});
