import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { guarded } from './guarded.js';

const wrong = new Error('wrong');

test('an error that a handler throws goes to its guard, not to the emitter', () => {
  const failures: unknown[] = [];
  const emitter = new EventEmitter();
  const heard: string[] = [];
  const handler = guarded(
    (error) => void failures.push(error),
    (word: string) => {
      heard.push(word);
      if (word === 'b') throw wrong;
    },
  );
  emitter.on('word', handler);
  for (const word of ['a', 'b', 'c']) emitter.emit('word', word);
  assert.deepEqual([heard, failures], [['a', 'b', 'c'], [wrong]]);
});

test('a rejection of a handler goes to its guard as well', async () => {
  const failed = await new Promise((resolve) => {
    guarded(resolve, () => Promise.reject(wrong))();
  });
  assert.equal(failed, wrong);
});
