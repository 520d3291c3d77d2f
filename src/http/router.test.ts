import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import type { Response } from 'express';
import { z } from 'zod';
import type { Claims } from './auth/claims.js';
import { operation } from './operation.js';
import { RequestLimiter } from './router.js';

const caller: Claims = { scope: 'user', typ: 'access', jti: 'j', platformId: 'p', userId: 'u' };
const read = operation(
  {
    id: 'read',
    method: 'get',
    path: '/read',
    scheme: 'User',
    allow: [],
    summary: 'Reads',
    result: z.null(),
  },
  async () => null,
);

const response = (): Response =>
  new ServerResponse(new IncomingMessage(new Socket())) as unknown as Response;

test('clients that disconnect while their token is checked do not keep their slot', async () => {
  const turns = new RequestLimiter();
  for (let n = 0; n < 1_000; n += 1) {
    const gone = response();
    gone.destroy();
    assert.equal(await turns.acquire(read, caller, gone), false);
  }
  assert.equal(await turns.acquire(read, caller, response()), true);
});

test('bearers of links take none of the turns of their owner', async () => {
  const turns = new RequestLimiter();
  const bearer: Claims = { ...caller, linkedAt: 1 };
  let served = 0;
  for (let n = 0; n < 50; n += 1) {
    turns.acquire(read, bearer, response()).then(
      () => (served += 1),
      () => undefined, // after the test
    );
  }
  for (let n = 0; n < 32; n += 1) assert.equal(await turns.acquire(read, caller, response()), true);
  assert.equal(served, 8);
});
