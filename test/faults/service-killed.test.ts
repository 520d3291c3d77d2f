import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { postmasterPid } from '../../testkit/command.js';
import { longForm } from '../../testkit/long-form.js';
import { jpeg } from '../../testkit/pictures.js';
import { appliance } from '../../testkit/appliance.js';
import { balance } from './accounts.js';
import { allGone, killNow, startsOf } from '../../testkit/processes.js';
import { eventually } from '../../testkit/eventually.js';
import { uploadsIn } from '../../testkit/temporary.js';

const serving = await appliance({ after }, { privately: true });
const { home, user } = serving;

/** More than are accepted before a killed service has ended. */
const mostUploads = 500;

/** Uploads different pictures, four at a time, until requests fail. @returns acknowledged ones by id. */
async function uploadUntilGone(onAnswer: (answered: number) => void) {
  const answered = new Map<string, Uint8Array>();
  let seed = 0;
  const worker = async (): Promise<void> => {
    while (seed < mostUploads) {
      onAnswer(answered.size);
      const picture = await jpeg({ width: 1024, height: 768, seed: (seed += 1) });
      const { status, result } = await user.tryUpload({}, picture);
      if (status === 200) answered.set(result.id, picture);
    }
  };
  const lanes = await Promise.allSettled([worker(), worker(), worker(), worker()]);
  return { answered, broken: lanes.filter((l) => l.status === 'rejected').length };
}

describe('kill -9', () => {
  test('of the service during uploads: every acknowledged one is stored', async () => {
    for (const round of longForm ? [1, 2] : [1]) {
      const before = startsOf(await serving.processes());
      const postmaster = (await postmasterPid(home)) as number;
      let killed: Promise<void> | undefined;
      const { answered, broken } = await uploadUntilGone((count) => {
        if (count >= 6) killed ??= serving.kill();
      });
      await killed;
      assert.equal(broken, 4, `round ${round}: all were uploading when it was killed`);
      before.delete(postmaster);
      await eventually('its other processes end', async () => {
        const [first, ...rest] = before;
        return first !== undefined && rest.length > 0 && allGone(new Map([first]));
      });

      await serving.restart();
      for (const [id, picture] of answered) await user.expectBytes(id, picture);
      assert.deepEqual(await uploadsIn(home.incoming), []);
      await balance(home);
    }
  });

  test('of the database server while serving: 503 within bounded time, then recovery', async () => {
    const result = await user.upload({}, await jpeg());
    const killed = await postmasterPid(home);
    killNow(killed);
    let refused = 0;
    await eventually('it is back', async () => {
      const asked = performance.now();
      const answer = await user.get(`/images/${result.id}`);
      assert.ok(performance.now() - asked < 30_000, 'each answer comes in bounded time');
      // A session outlives its server for a moment and may still answer.
      const now = await postmasterPid(home);
      if (answer.status === 200) return now !== undefined && now !== killed;
      assert.equal(answer.status, 503, JSON.stringify(answer.error));
      assert.equal(answer.error?.code, 'unavailable');
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
      refused += 1;
      return false;
    });
    assert.ok(refused > 0, 'some requests are refused'); // a new server takes longer than a request
    assert.equal((await user.tryUpload({}, await jpeg({ seed: 2 }))).status, 200);
    await balance(home);
  });

  test('of the imaging process during uploads: none is lost, the API stays up', async () => {
    for (let round = 0; round < (longForm ? 2 : 1); round += 1) {
      const pid = await serving.imagingPid();
      assert.ok(pid, 'it runs');
      const pictures = await Promise.all(
        [1, 2, 3, 4].map((n) => jpeg({ width: 2000, height: 1500, seed: round * 10 + n })),
      );
      const uploads = pictures.map((picture) => user.tryUpload({}, picture));
      const first = uploads[0] as Promise<unknown>;
      // When one of four is done, the others are in progress.
      void first.then(() => killNow(pid));
      const answers = await Promise.all(uploads);
      for (const [i, { status, error, result }] of answers.entries()) {
        if (status === 200) await user.expectBytes(result.id, pictures[i] as Buffer);
        else assert.deepEqual([status, error?.code], [503, 'unavailable']);
      }
      assert.equal((await serving.client.raw('GET', '/livez')).status, 200);
      assert.equal((await user.tryUpload({}, await jpeg({ seed: 90 + round }))).status, 200);
      assert.notEqual(await serving.imagingPid(), pid);
    }
    await balance(home);
  });

  test('afterward SIGTERM ends everything with 0', async () => {
    const before = startsOf(await serving.processes());
    assert.ok(before.size > 5, 'service, imaging process, database server and its children');
    assert.equal(await serving.end(), 0);
    assert.ok(allGone(before));
    assert.ok((await balance(home)).objects > 0);
  });
});
