import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createLogger } from '../base/telemetry/logger.js';
import { createHttpApp } from './app.js';
import { Batches, BatchReader, RawJson } from './paging/batches.js';
import { success } from './envelope.js';
import { Router } from 'express';
import { sendJson } from './streamed-response.js';

async function* counted<T>(batches: number, size: number, item: (n: number) => T) {
  for (let b = 0; b < batches; b += 1) {
    yield Array.from({ length: size }, (_, n) => item(b * size + n));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function* failing(batches: number) {
  yield* counted(batches, 1, () => 'x'.repeat(100_000));
  throw new Error('lost');
}

const results: Record<string, () => unknown> = {
  small: () => ({ count: 1, items: [{ id: 'a', memos: null }] }),
  large: () => ({
    count: 2,
    left: undefined,
    items: new Batches(
      counted(3, 2, (n) => ({
        n,
        'a "name"': '여행\n',
        nothing: undefined,
        empty: new Batches(counted(0, 0, () => 1)),
        inner: { memos: n % 2 ? new Batches(counted(2, 2, (m) => m)) : [] },
        list: [1, new Batches(counted(1, 1, () => null)), {}],
      })),
    ),
    last: true,
  }),
  written: () => ({ count: 2, items: written('[{"a":"여행"},2]'), next: 'é' }),
  nested: () => ({ items: new Batches(counted(2, 2, (n) => ({ n, list: written(`[${n}]`) }))) }),
  array: () => new Batches(counted(2, 2, (n) => n)),
  early: () => ({ items: new Batches(failing(0)) }),
  late: () => ({ items: new Batches(failing(20)) }),
};

const written = (text: string) => new RawJson(Buffer.from(text));

const router = Router();
router.get('/:name', async (request, response) => {
  const result = results[request.params.name]?.();
  await sendJson(success(result), 'json', {
    request,
    response,
    signal: new AbortController().signal,
  });
});
const app = createHttpApp({
  logger: createLogger({ level: 'error', format: 'json' }),
  logRequest: () => undefined,
  files: async () => undefined,
  routers: [router],
  trustProxy: 0,
  cors: { origins: [], headers: [] },
  isUnavailable: () => false,
});
const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());
const get = (name: string, method = 'GET') =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`, { method });

test('a response without batches has a Content-Length', async () => {
  const answer = await get('small');
  const text = await answer.text();
  assert.equal(answer.headers.get('content-length'), String(Buffer.byteLength(text)));
  assert.deepEqual(JSON.parse(text), {
    status_code: 200,
    message: '성공',
    result: { count: 1, items: [{ id: 'a', memos: null }] },
  });
});

test('batches produce the same JSON as arrays', async () => {
  const item = (n: number) => ({
    n,
    'a "name"': '여행\n',
    empty: [],
    inner: { memos: n % 2 ? [0, 1, 2, 3] : [] },
    list: [1, [null], {}],
  });
  const answer = await get('large');
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  const result = { count: 2, items: [0, 1, 2, 3, 4, 5].map(item), last: true };
  assert.equal(await answer.text(), JSON.stringify({ status_code: 200, message: '성공', result }));
  assert.deepEqual(
    ((await (await get('array')).json()) as { result: unknown }).result,
    [0, 1, 2, 3],
  );
  const head = await get('large', 'HEAD');
  assert.deepEqual([head.status, await head.text()], [200, '']);
});

test('raw JSON text is sent unchanged, with a Content-Length if there are no batches', async () => {
  const answer = await get('written');
  const text = await answer.text();
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(answer.headers.get('content-length'), String(Buffer.byteLength(text)));
  const result = { count: 2, items: [{ a: '여행' }, 2], next: 'é' };
  assert.equal(text, JSON.stringify({ status_code: 200, message: '성공', result }));
  const items = [0, 1, 2, 3].map((n) => ({ n, list: [n] }));
  assert.deepEqual(((await (await get('nested')).json()) as { result: unknown }).result, { items });
  const head = await get('written', 'HEAD');
  assert.deepEqual([head.status, await head.text()], [200, '']);
});

test('a failure before the first byte is an error response, a later one breaks the connection', async () => {
  const early = await get('early');
  assert.equal(early.status, 500);
  assert.equal(((await early.json()) as { error: { code: string } }).error.code, 'internal_error');
  const late = await get('late');
  assert.equal(late.status, 200);
  await assert.rejects(late.text());
});

test('a reader looks one item ahead, across batches', async () => {
  const reader = new BatchReader(counted(3, 3, (n) => n));
  const taken: (number | undefined)[] = [];
  for (let n = 0; n < 10; n += 1) {
    assert.equal(await reader.peek(), await reader.peek());
    taken.push(await reader.peek());
    reader.skip();
  }
  assert.deepEqual(taken, [0, 1, 2, 3, 4, 5, 6, 7, 8, undefined]);
});
