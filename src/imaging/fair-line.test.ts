import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairLine } from './fair-line.js';
import { FairShares } from './fair-shares.js';

const shares = new FairShares();
const add = (line: FairLine<{ userId: string }>, users: string): void => {
  for (const userId of users) line.add({ userId });
};

/** Serves all turns, each taking the given seconds. @returns the users, in the order served. */
function turns(line: FairLine<{ userId: string }>, of: FairShares, seconds = 1): string {
  let order = '';
  for (let item = line.next(); item; item = line.next()) {
    line.remove(item);
    of.start(item.userId);
    of.finish(item.userId, seconds);
    order += item.userId;
  }
  return order;
}

test("one user's backlog does not delay the others", () => {
  const line = new FairLine<{ userId: string }>(shares);
  add(line, 'aaaaabbc');
  assert.equal(turns(line, shares), 'abcabaaa');
  assert.equal(line.size, 0);
});

test('the user with the least use so far goes first, and a newcomer starts level', () => {
  const own = new FairShares();
  const line = new FairLine<{ userId: string }>(own);
  own.start('a');
  own.finish('a', 10);
  add(line, 'aab');
  assert.equal(line.next()?.userId, 'b');
  assert.equal(turns(line, own, 4), 'baa');
  add(line, 'ac');
  assert.equal(line.next()?.userId, 'c');
});

test('a user with an image in progress goes after one with none', () => {
  const own = new FairShares();
  const line = new FairLine<{ userId: string }>(own);
  own.start('a');
  add(line, 'ab');
  assert.equal(line.next()?.userId, 'b');
});

test('users whose images cost more than estimated go last, until one does not', () => {
  const own = new FairShares();
  const line = new FairLine<{ userId: string }>(own);
  own.start('b');
  own.distrust('a');
  add(line, 'ab');
  assert.equal(line.next()?.userId, 'b');
  own.trust('a');
  assert.equal(line.next()?.userId, 'a');
});

test('an image that returns to its queue goes first there', () => {
  const line = new FairLine<{ userId: string; n: number }>(new FairShares());
  line.add({ userId: 'a', n: 1 });
  line.add({ userId: 'a', n: 0 }, true);
  assert.deepEqual(
    line.of('a').map(({ n }) => n),
    [0, 1],
  );
});
