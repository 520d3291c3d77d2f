import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, test } from 'node:test';
import { createLogger } from '../base/telemetry/logger.js';
import { createHttpApp, RefusedPreflights } from './app.js';

describe('refused preflights', () => {
  const logger = createLogger({ level: 'warn', format: 'text' });
  let lines: unknown[] = [];
  logger.warn = ((message: string, fields: object) => {
    lines.push({ message, ...fields });
    return logger;
  }) as typeof logger.warn;
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
    const app = createHttpApp({
      logger,
      logRequest: () => undefined,
      files: async () => undefined,
      routers: [],
      trustProxy: 0,
      corsOrigins: ['https://app.example'],
      isUnavailable: () => false,
    });
    const server = createServer(app).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const origin of ['https://app.example', 'https://other.example']) {
      const headers = { origin, 'access-control-request-method': 'PUT' };
      await fetch(`http://127.0.0.1:${port}/api`, { method: 'OPTIONS', headers });
    }
    assert.deepEqual(
      lines.map((line) => (line as { origin: string }).origin),
      ['https://other.example'],
    );
  });

  test('do not include other requests', () => {
    new RefusedPreflights(logger).note(preflight('https://app.example', 'GET'));
    new RefusedPreflights(logger).note(preflight(''));
    assert.deepEqual(lines, []);
  });
});
