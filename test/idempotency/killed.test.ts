import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { appliance } from '../../testkit/appliance.js';
import { killNow } from '../../testkit/processes.js';
import type { Answer, Call } from '../../testkit/client.js';
import { postmasterPid } from '../../testkit/command.js';
import { eventually } from '../../testkit/eventually.js';
import { longForm } from '../../testkit/long-form.js';
import { filePart, jpeg } from '../../testkit/pictures.js';

const serving = await appliance({ after }, { privately: true });
const { home, user } = serving;

const lanes = 6;
const each = longForm ? 8 : 4;

const send = <R>(path: string, key: string, call: Call): Promise<Answer<R>> =>
  user.call<R>('POST', path, {
    ...call,
    headers: { 'Idempotency-Key': key },
    signal: AbortSignal.timeout(20_000),
  });

/** Retries a request like a client until it succeeds. */
async function insist(path: string, key: string, call: Call): Promise<void> {
  await eventually(`${key} succeeds`, async () => {
    const answer = await send(path, key, call).catch(() => undefined); // the service is down
    const { status = 503, error } = answer ?? {};
    assert.ok([200, 409, 503].includes(status), `${status} ${error?.code}`);
    return status === 200;
  });
}

/** Creates folders and uploads pictures concurrently. @param act runs early on. */
async function work(round: string, act: () => Promise<void>): Promise<void> {
  let done = 0;
  let acted: Promise<void> | undefined;
  const lane = async (_: unknown, l: number): Promise<void> => {
    for (let i = 0; i < each; i += 1) {
      const name = `${round}-${l}-${i}`;
      const image_data = filePart(await jpeg({ width: 640, height: 480, seed: l * each + i }));
      await (i % 2 === 0
        ? insist('/folders', name, { form: { title: name } })
        : insist('/images', name, { form: { image_data } }));
      done += 1;
      if (done === lanes) acted = act();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  await acted;
}

/** Asserts that each request has had its effect exactly once. */
async function assertOnce(rounds: number): Promise<void> {
  assert.equal((await user.folders()).length, (rounds * lanes * each) / 2);
  assert.equal(await user.count(), (rounds * lanes * each) / 2);
}

test('requests that are repeated while the database server is killed happen once', async () => {
  await work('database', async () => {
    killNow(await postmasterPid(home));
  });
  await assertOnce(1);
});

test('requests that are repeated while the service is killed happen once', async () => {
  await work('service', async () => {
    await serving.kill();
    await serving.restart();
  });
  await assertOnce(2);
});
