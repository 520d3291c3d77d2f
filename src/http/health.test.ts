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
  const began = performance.now();
  for (let round = 0; round < 10; round += 1) {
    const statuses = await Promise.all(Array.from({ length: 10 }, ask));
    assert.deepEqual(new Set(statuses), new Set([200]));
  }
  const seconds = (performance.now() - began) / 1000;
  assert.ok(checks >= 1 && checks <= 1 + seconds, `${checks} checks in ${seconds} s`);
});
