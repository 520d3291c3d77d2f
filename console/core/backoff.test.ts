import '../testing/browser';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff } from './backoff';

test('pauses grow up to a limit, until something comes through; a connection or a signal ends them', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(Math, 'random', () => 1);
  const backoff = new Backoff();
  /** Milliseconds of the next pause, in steps of half a second. */
  const pause = async (...asked: Parameters<Backoff['pause']>): Promise<number> => {
    let over = false;
    const paused = backoff.pause(...asked).then(() => (over = true));
    let ms = 0;
    for (; !over; ms += 500) {
      await Promise.resolve();
      if (over) break;
      t.mock.timers.tick(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await paused;
    return ms;
  };
  const pauses: number[] = [];
  for (let n = 0; n < 7; n += 1) pauses.push(await pause());
  assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  backoff.reset();
  assert.equal(await pause(), 1_000);
  assert.equal(await pause(7_000), 7_000, 'as long as the server asks for');

  const waiting = backoff.pause();
  dispatchEvent(new Event('online'));
  await waiting;
  const stop = new AbortController();
  const given = backoff.pause(0, stop.signal);
  stop.abort();
  await given;
});
