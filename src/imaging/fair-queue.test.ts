import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guestsOf } from '../base/callers.js';
import { FairQueue, FairShares } from './fair-queue.js';

const shares = new FairShares();
const add = (queue: FairQueue<{ userId: string }>, users: string): void => {
  for (const userId of users) queue.add({ userId });
};

/** Serves all turns, each taking the given seconds. @returns the users, in the order served. */
function turns(queue: FairQueue<{ userId: string }>, of: FairShares, seconds = 1): string {
  let order = '';
  for (let item = queue.next(); item; item = queue.next()) {
    queue.remove(item);
    of.start(item.userId);
    of.finish(item.userId, seconds);
    order += item.userId;
  }
  return order;
}

test("one user's backlog does not delay the others", () => {
  const queue = new FairQueue<{ userId: string }>(shares);
  add(queue, 'aaaaabbc');
  assert.equal(turns(queue, shares), 'abcabaaa');
  assert.equal(queue.size, 0);
});

test('the user with the least usage so far goes first, and a newcomer starts level', () => {
  const own = new FairShares();
  const queue = new FairQueue<{ userId: string }>(own);
  own.start('a');
  own.finish('a', 10);
  add(queue, 'aab');
  assert.equal(queue.next()?.userId, 'b');
  assert.equal(turns(queue, own, 4), 'baa');
  add(queue, 'ac');
  assert.equal(queue.next()?.userId, 'c');
});

test('a user with an image in progress goes after one with none', () => {
  const own = new FairShares();
  const queue = new FairQueue<{ userId: string }>(own);
  own.start('a');
  add(queue, 'ab');
  assert.equal(queue.next()?.userId, 'b');
});

test('users whose images cost more than estimated go last, until one does not', () => {
  const own = new FairShares();
  const queue = new FairQueue<{ userId: string }>(own);
  own.start('b');
  own.distrust('a');
  add(queue, 'ab');
  assert.equal(queue.next()?.userId, 'b');
  own.trust('a');
  assert.equal(queue.next()?.userId, 'a');
});

test('an image that returns to its queue goes first there', () => {
  const queue = new FairQueue<{ userId: string; n: number }>(new FairShares());
  queue.add({ userId: 'a', n: 1 });
  queue.add({ userId: 'a', n: 0 }, true);
  assert.deepEqual(
    queue.of('a').map(({ n }) => n),
    [0, 1],
  );
});

/** Who is served while all of these always have something to be done, of which `atOnce` at a time. */
function served(users: readonly string[], turnsTaken: number, atOnce: number): Map<string, number> {
  const own = new FairShares();
  const queue = new FairQueue<{ userId: string }>(own);
  for (const userId of users) queue.add({ userId });
  const counts = new Map(users.map((userId) => [userId, 0]));
  const running: string[] = [];
  for (let turn = 0; turn < turnsTaken; turn += 1) {
    if (running.length === atOnce) own.finish(running.shift() ?? '', 1);
    const next = queue.next();
    assert.ok(next);
    queue.remove(next);
    queue.add({ userId: next.userId });
    own.start(next.userId);
    running.push(next.userId);
    counts.set(next.userId, (counts.get(next.userId) ?? 0) + 1);
  }
  return counts;
}

const visitors = guestsOf('a');

for (const atOnce of [1, 2, 4]) {
  test(`visitors of an owner have a quarter of another's turns, ${atOnce} at once`, () => {
    for (const others of [['a'], ['a', 'b'], ['a', 'b', 'c', 'd', 'e']]) {
      const counts = served([visitors, ...others], 400, atOnce);
      const quarter = Math.min(...others.map((user) => counts.get(user) ?? 0)) / 4;
      const theirs = counts.get(visitors) ?? 0;
      const told = JSON.stringify([...counts]);
      assert.ok(theirs <= quarter * 1.1, told);
      assert.ok(theirs >= quarter * 0.7, told);
    }
  });
}

test('visitors have all turns while nobody else waits', () => {
  assert.equal(served([visitors], 10, 2).get(visitors), 10);
});

test('what the inspection of images takes counts like their decoding', () => {
  const own = new FairShares();
  const queue = new FairQueue<{ userId: string }>(own);
  own.charge('a', 3);
  add(queue, 'ab');
  assert.equal(queue.next()?.userId, 'b');
});
