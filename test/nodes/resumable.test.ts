import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { appliance } from '../../testkit/appliance.js';
import { eventually } from '../../testkit/eventually.js';
import { noise } from '../../testkit/pictures.js';
import { allGone, bothHttpPids, httpPids, killNow, startsOf } from '../../testkit/processes.js';
import { uploadsIn } from '../../testkit/temporary.js';
import { TusClient, type TusAnswer } from '../../testkit/tus.js';

describe('an upload on several HTTP processes', () => {
  test('goes on at any of them, and when one is killed', async (t) => {
    const serving = await appliance(t, { args: ['--workers', '2'] });
    const { user, home } = serving;
    const pids = await bothHttpPids(serving.pid);
    const tus = new TusClient(serving.url, user);
    const bytes = await noise(300);
    const upload = await tus.begin(bytes.length);
    // Each request is a connection of its own, which goes to the next process.
    const step = 20_000;
    for (let at = 0; at < 5 * step; at += step) {
      const answer = await tus.patch(upload, at, bytes.subarray(at, at + step));
      assert.equal(answer.headers['upload-offset'], String(at + step));
    }
    const open = tus.openPatch(upload, 5 * step, bytes.length - 5 * step);
    open.request.write(bytes.subarray(5 * step, 6 * step));
    await eventually('it has begun', async () => (await uploadsIn(home.incoming)).length > 0);
    const running = startsOf(pids);
    for (const pid of pids) killNow(pid);
    await eventually('both are gone', () => allGone(running));
    await eventually('others serve', async () => (await httpPids(serving.pid)).length === 2);
    await assert.rejects(open.answer);
    let head: TusAnswer | undefined;
    // Nobody listens before the first of the others does.
    await eventually('it is answered', async () => {
      head = await tus.head(upload).catch(() => undefined);
      return head !== undefined;
    });
    assert.equal(head?.status, 200, 'the lock of a process ends with it');
    const offset = Number(head.headers['upload-offset']);
    assert.equal(offset, 5 * step, 'what no process has saved is sent again');
    const last = await tus.patch(upload, offset, bytes.subarray(offset));
    await user.expectBytes(String(last.headers['upload-image-id']), bytes);
    assert.equal(await user.count(), 1);
  });
});
