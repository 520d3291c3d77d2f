import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { test } from 'node:test';
import { guestsOf } from '../../src/base/callers.js';
import type { ServiceError } from '../../src/base/errors/catalogue.js';
import type { ImagingOptions } from '../../src/imaging/start.js';
import { pngOfSize } from '../../testkit/bombs.js';
import { eventually } from '../../testkit/eventually.js';
import { gullible, noise, plain, refusedAs, Studio } from './support.js';

/** 3,600 megapixels take longer than a second on any machine. */
const slow = pngOfSize(60_000, 60_000);
const maxPixels = 1e10;
const small = await plain(64, 64, [1, 2, 3]).png().toBuffer();
const large = await noise(1600, 1200).jpeg().toBuffer();

test("one user's backlog delays another user only by the images in progress", async () => {
  const studio = await Studio.open();
  let done = 0;
  const backlog = Array.from({ length: 16 }, (_, i) =>
    studio.process(`${i}`, large, 'busy').then(() => (done += 1)),
  );
  await Promise.race(backlog);
  const before = done;
  await studio.process('small', small, 'other');
  // Two in progress when it came, and those that end at the same time.
  assert.ok(done - before <= 6, `${done - before} of the others in between`);
  await Promise.all(backlog);
});

test('a full queue drops images of the user with the most in it', async () => {
  const studio = await Studio.open({ threads: 1, queueLimit: 4 });
  const answers: string[] = [];
  const send = (name: string, user: string): Promise<number | void> =>
    studio.process(name, large, user).then(
      () => answers.push(`${name} done`),
      (error: ServiceError) => {
        assert.equal(error.code, 'unavailable');
        assert.ok(error.retryAfter && error.retryAfter > 0);
        answers.push(`${name} refused`);
      },
    );
  const greedy = Array.from({ length: 14 }, (_, i) => send(`greedy-${i}`, 'greedy'));
  const others = ['one', 'two'].map((user) => send(user, user));
  await Promise.all([...greedy, ...others]);
  assert.ok(answers.includes('one done') && answers.includes('two done'), answers.join());
  assert.ok(answers.filter((answer) => answer.endsWith('refused')).length >= 8, answers.join());
});

/** The inspection does not notice that the slow picture is slow. */
const unforeseen = { surveyor: gullible, maxPixels };

test('images that are slow despite their inspection do not delay other users', async (t) => {
  const studio = await Studio.open({ ...unforeseen, timeoutMs: 1500 });
  let given = 0; // slow pictures that timed out
  const attack = async (user: string): Promise<void> => {
    for (let n = 0; studio.queue.ready(); n++) {
      await studio.process(`${user}-${n}`, slow, user).catch(() => undefined);
      given += 1;
    }
  };
  const attackers = ['a', 'b', 'c', 'd'].map(attack);
  try {
    // The wait is measured in slow pictures that end in the meantime, independently of the machine.
    const waits: number[] = [];
    for (let i = 0; i < 30; i++) {
      const before = given;
      await studio.process('small', small, 'other');
      waits.push(given - before);
    }
    waits.sort((x, y) => x - y);
    t.diagnostic(`slow pictures that ended while a small one waited: ${waits.join(' ')}`);
    // For the first few, each slot is taken by a picture that is not yet known to be slow.
    assert.ok((waits[26] ?? NaN) <= 2, waits.join(' '));
  } finally {
    await studio.queue.close(0);
    await Promise.allSettled(attackers);
  }
});

test('a user whose pictures were slow is served again once they are not', async () => {
  const studio = await Studio.open({ ...unforeseen, timeoutMs: 700 });
  await assert.rejects(studio.process('slow', slow), refusedAs('image_too_complex'));
  assert.equal((await studio.process('small', small)).width, 64);
});

test('after a slow picture, all of its user wait for a slot of heavy ones, until one is quick', async () => {
  const studio = await Studio.open({
    maxPixels,
    timeoutMs: 700,
    threads: 1,
    inspector: {
      ...gullible,
      inspect: async (path) => {
        const outcome = await gullible.inspect(path);
        if (outcome.kind !== 'inspected' || !path.endsWith('heavy')) return outcome;
        return { ...outcome, inspection: { ...outcome.inspection, memoryBytes: 2 ** 29 } };
      },
    },
  });
  await assert.rejects(studio.process('slow', slow, 'costly'), refusedAs('image_too_complex'));
  // Takes the only slot for heavy pictures until somebody writes to it.
  execFileSync('mkfifo', [studio.path('heavy')]);
  const held = studio.processFile('heavy', 'other').catch(() => undefined);
  let served = false;
  const waiting = studio.process('small', small, 'costly').then(() => (served = true));
  for (let i = 0; i < 3; i++) await studio.process(`small-${i}`, small, 'third');
  assert.equal(served, false, 'its user is not distrusted');
  await (await open(studio.path('heavy'), 'w')).close();
  await Promise.all([held, waiting]);
});

test('a user whose files stall an inspection leaves a place to others', async () => {
  const held: (() => void)[] = [];
  const studio = await Studio.open({
    inspector: {
      ...gullible,
      inspect: (path) => {
        if (!path.endsWith('stuck')) return gullible.inspect(path);
        return new Promise((resolve) => {
          held.push(() => resolve({ kind: 'stalled', reason: 'held' }));
        });
      },
    },
  });
  const stuck = ['one', 'two', 'three'].map((name) =>
    studio.process(`${name} stuck`, small, 'staller').catch(() => undefined),
  );
  await eventually('both places are taken', () => held.length === 2);
  held[0]?.();
  assert.equal((await studio.process('small', small, 'other')).width, 64);
  assert.equal(held.length, 2, 'the second place was taken again');
  await studio.queue.close(0);
  await Promise.all(stuck);
});

test('images that need much memory are processed one at a time', async () => {
  const estimates = (memoryBytes: number): Partial<ImagingOptions> => ({
    threads: 4,
    memoryBytes: 2 ** 30,
    inspector: {
      ...gullible,
      inspect: async () => {
        const survey = { format: 'jpeg', width: 2400, height: 1800, pool: 'common' } as const;
        return { kind: 'inspected', inspection: { ...survey, memoryBytes } };
      },
    },
  });
  for (const [memoryBytes, isAlone] of [
    [300 * 2 ** 20, true],
    [16 * 2 ** 20, false],
  ] as const) {
    const studio = await Studio.open(estimates(memoryBytes));
    let most = 0;
    const send = async (i: number): Promise<void> => {
      await studio.process(`${i}`, large, `user ${i}`);
      most = Math.max(most, studio.queue.pids.length);
    };
    await Promise.all(Array.from({ length: 8 }, (_, i) => send(i)));
    assert.equal(most === 1, isAlone, `${most} processes`);
  }
});

test('what visitors of links have waiting delays neither their owner nor others', async (t) => {
  const studio = await Studio.open();
  const visitors = guestsOf('owner');
  const order: string[] = [];
  const send = (name: string, content: Uint8Array, user: string) =>
    studio.process(name, content, user).then(() => order.push(user));
  const backlog = Array.from({ length: 24 }, (_, i) => send(`visitor-${i}`, large, visitors));
  await Promise.race(backlog);
  const before = order.length;
  await Promise.all([send('of the owner', small, 'owner'), send('of another', small, 'another')]);
  const between = order.length - before - 2;
  t.diagnostic(`${between} of the ${24 - before} of visitors that waited were done in between`);
  // Two in progress when they came, and those that end at the same time.
  assert.ok(between <= 6, `${between} of visitors in between`);
  await Promise.all(backlog);
});

test('visitors of an owner get a quarter of what the owner gets, who gets as much as another', async (t) => {
  const studio = await Studio.open({ queueLimit: 500 });
  // The first picture of a process costs several times as much, whoever happens to send it.
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => studio.process(name, large, 'earlier')));
  const visitors = guestsOf('owner');
  const users = [visitors, 'owner', 'another'];
  const order: string[] = [];
  const all = users.flatMap((user) =>
    Array.from({ length: 20 }, (_, i) =>
      studio.process(`${user}-${i}`, large, user).then(() => order.push(user)),
    ),
  );
  await Promise.all(all);
  // Until the first of them has nothing left.
  const whole = users.map((user) => order.lastIndexOf(user));
  const contested = order.slice(0, Math.min(...whole));
  const [theirs = 0, ofOwner = 0, ofAnother = 0] = users.map(
    (user) => contested.filter((one) => one === user).length,
  );
  t.diagnostic(`visitors ${theirs}, owner ${ofOwner}, another user ${ofAnother}`);
  // Turns are taken by CPU time, which differs from picture to picture on a busy machine.
  assert.ok(
    theirs >= 2 && theirs <= ofAnother / 2,
    `${theirs} of visitors, ${ofAnother} of another`,
  );
  assert.ok(ofOwner >= ofAnother / 3, `${ofOwner} of the owner, ${ofAnother} of another user`);
});

test('a full queue drops pictures of visitors before those of their owner', async () => {
  const studio = await Studio.open({ threads: 1, queueLimit: 8 });
  const refused: string[] = [];
  const send = (name: string, user: string): Promise<unknown> =>
    studio.process(name, large, user).catch(() => refused.push(user));
  const visitors = guestsOf('owner');
  const own = Array.from({ length: 7 }, (_, i) => send(`own-${i}`, 'owner'));
  const theirs = Array.from({ length: 3 }, (_, i) => send(`theirs-${i}`, visitors));
  const more = Array.from({ length: 3 }, (_, i) => send(`more-${i}`, 'owner'));
  await Promise.all([...own, ...theirs, ...more]);
  assert.ok(refused.includes(visitors), refused.join());
});
