import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import type { OperatorError } from '../../src/base/errors/operator.js';
import { startImaging } from '../../src/imaging/start.js';
import { eventually } from '../../testkit/eventually.js';
import { usualImaging } from '../../testkit/imaging-options.js';
import { logger } from '../../testkit/silent-logger.js';
import { plain, refusedAs, Studio } from './support.js';
import { killNow } from '../../testkit/processes.js';

/** Runs `body` while the program of imaging processes is missing, as after a failed upgrade. */
async function withoutNode(body: () => Promise<void>): Promise<void> {
  const { execPath } = process;
  process.execPath = '/nonexistent/node';
  try {
    await body();
  } finally {
    process.execPath = execPath;
  }
}

test('a process that cannot be started is an error for the operator', async () => {
  await withoutNode(() =>
    assert.rejects(
      startImaging({ ...usualImaging, folder: tmpdir(), logger }),
      (error: OperatorError) => {
        assert.equal(error.name, 'OperatorError');
        assert.match(error.message, /failed to start/);
        return true;
      },
    ),
  );
});

test('while no process can be restarted, images are unavailable', async () => {
  const studio = await Studio.open();
  const picture = await plain(9, 9, [1, 2, 3]).png().toBuffer();
  await withoutNode(async () => {
    killNow(studio.pid);
    await eventually('the queue gives up', () => !studio.queue.ready());
    // The first one waits until all attempts have failed, the second one is refused at once.
    await assert.rejects(studio.process('one.png', picture), refusedAs('unavailable'));
    await assert.rejects(studio.process('two.png', picture), refusedAs('unavailable'));
    assert.equal(studio.queue.ready(), false);
  });
  await eventually('the queue is ready', () => studio.queue.ready());
  assert.equal((await studio.process('three.png', picture)).width, 9);
});
