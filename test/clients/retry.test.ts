import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import {
  createImgstoreClient,
  ImgstoreError,
  UnansweredError,
} from '../../clients/typescript/src/index.js';

interface Scripted {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

/** Answers before the real one, such as those of a proxy or of a network's login page. */
let script: Scripted[] = [];
/** Keys of the requests since the last reset. */
let keys: (string | undefined)[] = [];

const stored = {
  status: 200,
  body: { status_code: 200, message: '성공', result: { id: 'stored' } },
};
const front = createServer((request, response) => {
  keys.push(request.headers['idempotency-key'] as string | undefined);
  const { status, body, headers } = script.shift() ?? { ...stored, headers: {} };
  request.resume().once('end', () => {
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
});
await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
after(() => front.close().closeAllConnections());
const { port } = front.address() as AddressInfo;

const imgstore = createImgstoreClient({
  baseUrl: `http://127.0.0.1:${port}`,
  scheme: 'User',
  token: 'token',
  retry: { attempts: 3, pauseMs: 1 },
});

const error = (status: number, code: string, headers = {}): Scripted => ({
  status,
  body: { status_code: status, result: null, error: { code, message: 'No.', field: 'a' } },
  headers,
});

function upload(answers: readonly Scripted[]) {
  script = [...answers];
  keys = [];
  return imgstore.upload('user', new Blob(['photograph']));
}

describe('a request is retried with the same key', () => {
  const cases: Record<string, Scripted> = {
    'if an earlier one is still at work': error(409, 'request_in_progress'),
    'if it did not arrive in time': error(408, 'request_timeout'),
    'if its body broke off': error(400, 'upload_interrupted'),
    'if there are too many': error(429, 'rate_limited'),
    'if the server has a defect': error(500, 'internal_error'),
    'if the server is busy': error(503, 'unavailable'),
    'if the server behind a proxy is away': { status: 502, body: '<h1>Bad Gateway</h1>' },
    'if a network answers that asks to sign in': { status: 200, body: '<h1>Welcome</h1>' },
    'if something else answers in JSON': { status: 200, body: {} },
  };
  for (const [when, answer] of Object.entries(cases)) {
    test(when, async () => {
      assert.equal((await upload([answer, answer])).id, 'stored');
      assert.equal(keys.length, 3);
      assert.match(keys[0] ?? '', /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
      assert.equal(new Set(keys).size, 1);
    });
  }

  test('not before Retry-After', async () => {
    const began = performance.now();
    await upload([error(503, 'unavailable', { 'Retry-After': '1' })]);
    assert.ok(performance.now() - began >= 990);
  });
});

describe('a request is not retried', () => {
  const cases = [
    error(400, 'corrupt_image'),
    error(401, 'token_expired'),
    error(403, 'forbidden'),
    error(413, 'upload_too_large'),
    error(422, 'idempotency_key_reused'),
  ];
  for (const answer of cases) {
    test(`that is refused with ${answer.status}`, async () => {
      await assert.rejects(upload([answer]), ({ status, code, field, message }: ImgstoreError) => {
        assert.deepEqual([status, field, message], [answer.status, 'a', `${code}: No.`]);
        return true;
      });
      assert.equal(keys.length, 1);
    });
  }

  test('that a proxy refuses without the envelope', async () => {
    const refused = upload([{ status: 413, body: '<h1>Too large</h1>' }]);
    await assert.rejects(refused, { name: 'ImgstoreError', status: 413, code: 'http_413' });
  });

  test('beyond the maximum of attempts, or if Retry-After is far in the future', async () => {
    const [busy, later] = ['0', '3600'].map((s) => error(503, 'unavailable', { 'Retry-After': s }));
    assert.ok(busy && later);
    for (const [answers, sent] of [
      [Array<Scripted>(3).fill(busy), 3],
      [[later], 1],
    ] as const) {
      await assert.rejects(upload(answers), (failure: UnansweredError) => {
        assert.ok(failure instanceof UnansweredError && failure.cause instanceof ImgstoreError);
        assert.deepEqual([failure.cause.status, failure.key], [503, keys[0]]);
        return true;
      });
      assert.equal(keys.length, sent);
    }
  });
});
