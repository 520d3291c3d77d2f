import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, test, type TestContext } from 'node:test';
import { Router } from 'express';
import { ServiceError } from '../base/errors/catalogue.js';
import { createLogger } from '../base/telemetry/logger.js';
import { createHttpApp, RefusedPreflights } from './app.js';

const logger = createLogger({ level: 'warn', format: 'text' });
let lines: ({ message: string; level: string } & Record<string, unknown>)[] = [];
for (const level of ['warn', 'error'] as const) {
  logger[level] = ((message: string, fields: object) => {
    lines.push({ message, level, ...fields });
    return logger;
  }) as typeof logger.warn;
}

/** Serves routers. @returns their base URL. */
async function serve(t: TestContext, routers: Router[]): Promise<string> {
  const app = createHttpApp({
    logger,
    logRequest: () => undefined,
    files: async () => undefined,
    routers,
    trustProxy: 0,
    cors: { origins: ['https://app.example'], headers: [] },
    isUnavailable: (error) => error instanceof RangeError,
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a stack is logged of what failed, not of what was refused as busy', async (t) => {
  const thrown = new Map<string, Error>([
    ['/busy', new ServiceError('unavailable', { message: 'Too many at once.' })],
    ['/away', new RangeError('no database')],
    ['/bug', new Error('a bug')],
  ]);
  const router = Router().use((request) => {
    throw thrown.get(request.path) ?? new Error(request.path);
  });
  const url = await serve(t, [router]);
  lines = [];
  for (const path of thrown.keys()) await fetch(url + path);
  assert.deepEqual(
    lines.map(({ level, message, reason, error }) => [level, message, reason, typeof error]),
    [
      ['warn', 'unavailable', 'Too many at once.', 'undefined'],
      ['error', 'unavailable', undefined, 'string'],
      ['error', 'internal_error', undefined, 'string'],
    ],
  );
});

describe('refused preflights', () => {
  beforeEach(() => (lines = []));
  const preflight = (origin: string, method = 'OPTIONS') =>
    ({
      method,
      url: '/api/v1/platforms?x=1',
      headers: { origin, 'access-control-request-method': 'GET' },
    }) as unknown as IncomingMessage;

  test('are logged in one line that names the origin and the setting', () => {
    new RefusedPreflights(logger).note(preflight('https://app.example'));
    assert.deepEqual(lines, [
      {
        message: 'CORS preflight refused',
        level: 'warn',
        origin: 'https://app.example',
        path: '/api/v1/platforms',
        remedy: 'to allow it, add https://app.example to cors.origins (IMGSTORE_CORS_ORIGINS)',
      },
    ]);
  });

  test('are logged at most once a second, in a short line', () => {
    let now = 0;
    const refused = new RefusedPreflights(logger, () => now);
    for (let at = 0; at < 10; at += 1) refused.note(preflight('https://a.example'));
    assert.equal(lines.length, 1);
    now = 1000;
    refused.note(preflight(`https://${'b'.repeat(10_000)}.example`));
    assert.equal(lines.length, 2);
    assert.ok(JSON.stringify(lines[1]).length < 1000);
  });

  test('are only those from origins that are not allowed', async (t) => {
    const url = await serve(t, []);
    for (const origin of ['https://app.example', 'https://other.example']) {
      const headers = { origin, 'access-control-request-method': 'PUT' };
      await fetch(`${url}/api`, { method: 'OPTIONS', headers });
    }
    assert.deepEqual(
      lines.map(({ origin }) => origin),
      ['https://other.example'],
    );
  });

  test('do not include other requests', () => {
    new RefusedPreflights(logger).note(preflight('https://app.example', 'GET'));
    new RefusedPreflights(logger).note(preflight(''));
    assert.deepEqual(lines, []);
  });
});
