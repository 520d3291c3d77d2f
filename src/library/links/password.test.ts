import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword } from './password.js';

test('a flood of passwords, of however many users of a platform, does not hold up another', async () => {
  let flooded = 0;
  const flood = Array.from({ length: 20 }, async (_, n) => {
    await hashPassword('x', { platformId: 'one', caller: `user ${n}` });
    flooded += 1;
  });
  await hashPassword('x', { platformId: 'other', caller: 'somebody else' });
  assert.ok(flooded <= 10, `${flooded} went first`);
  await Promise.all(flood);
});

test('a flood of one user does not hold up another of the same platform', async () => {
  let flooded = 0;
  const flood = Array.from({ length: 20 }, async () => {
    await hashPassword('x', { platformId: 'one', caller: 'user' });
    flooded += 1;
  });
  await hashPassword('x', { platformId: 'one', caller: 'somebody else' });
  assert.ok(flooded <= 10, `${flooded} went first`);
  await Promise.all(flood);
});
