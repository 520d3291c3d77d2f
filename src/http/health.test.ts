import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import express from 'express';
import { healthRouter } from './health.js';

test('readiness is checked at most once a second, however often it is requested', async (t) => {
  let checks = 0;
  const part = async (): Promise<void> => {
    checks += 1;
  };
  const parts = {
    stopping: new AbortController().signal,
    maintenance: { isOn: async () => false },
  };
  const app = express().use(healthRouter({ part }, parts));
  const server = createServer(app).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status);
  const clock = t.mock.method(performance, 'now');
  for (const [ms, expected] of [
    [0, 1],
    [999, 1],
    [1_000, 2],
    [1_999, 2],
  ] as const) {
    clock.mock.mockImplementation(() => ms);
    const statuses = await Promise.all(Array.from({ length: 10 }, ask));
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.equal(checks, expected, `after ${ms} ms`);
  }
});
