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
/** Methods and keys of the requests since the last reset. */
let methods: (string | undefined)[] = [];
let keys: (string | undefined)[] = [];

const stored = {
  status: 200,
  body: { status_code: 200, message: '성공', result: { id: 'stored' } },
};
const front = createServer((request, response) => {
  methods.push(request.method);
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

function begin(answers: readonly Scripted[]): void {
  script = [...answers];
  [methods, keys] = [[], []];
}

function upload(answers: readonly Scripted[]) {
  begin(answers);
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

describe('an upload that resumes', () => {
  const file = new Blob(['photograph']);
  const at = (offset: number, headers = {}) => ({ 'Upload-Offset': String(offset), ...headers });
  const created: Scripted = {
    status: 201,
    body: '',
    headers: at(0, { Location: `http://127.0.0.1:${port}/api/v1/users/user/uploads/one` }),
  };
  const asked = (offset: number): Scripted => ({ status: 200, body: '', headers: at(offset) });
  const received = (offset: number): Scripted => ({ status: 204, body: '', headers: at(offset) });
  const finished: Scripted = {
    status: 204,
    body: '',
    headers: at(file.size, { 'Upload-Image-Id': 'stored' }),
  };
  const gone: Scripted = { status: 410, body: '' };

  const cases: Record<string, readonly [Scripted[], string]> = {
    'waits while another request writes to it': [
      [created, error(503, 'unavailable'), { status: 423, body: '' }, asked(5), finished],
      'POST PATCH HEAD HEAD PATCH GET',
    ],
    'goes on where it is when it is not where it was': [
      [created, error(409, 'wrong_offset'), asked(5), finished],
      'POST PATCH HEAD PATCH GET',
    ],
    'counts attempts anew when something has arrived': [
      [
        created,
        ...[2, 4, 6].flatMap((n) => [error(503, 'unavailable'), asked(n)]),
        received(8),
        finished,
      ],
      'POST PATCH HEAD PATCH HEAD PATCH HEAD PATCH PATCH GET',
    ],
    'begins anew when it ended meanwhile': [
      [created, error(503, 'unavailable'), gone, created, finished],
      'POST PATCH HEAD POST PATCH GET',
    ],
    'is not continued at an answer that is not from imgstore': [
      [created, { status: 200, body: '<h1>Welcome</h1>' }, asked(0), finished],
      'POST PATCH HEAD PATCH GET',
    ],
  };
  for (const [what, [answers, expected]] of Object.entries(cases)) {
    test(what, async () => {
      begin(answers);
      assert.equal((await imgstore.resume('user', file)).id, 'stored');
      assert.equal(methods.join(' '), expected);
    });
  }

  test('is not continued before Retry-After', async () => {
    begin([
      created,
      error(503, 'unavailable'),
      { status: 423, body: '', headers: { 'Retry-After': '1' } },
      asked(5),
      finished,
    ]);
    const began = performance.now();
    await imgstore.resume('user', file);
    assert.ok(performance.now() - began >= 990);
  });

  test('ends after the maximum of attempts without progress, or of beginnings', async () => {
    const [busy, still] = [error(503, 'unavailable'), asked(0)];
    begin([created, busy, still, busy, still, busy]);
    await assert.rejects(imgstore.resume('user', file, { key: 'one' }), { key: 'one' });
    assert.equal(methods.join(' '), 'POST PATCH HEAD PATCH HEAD PATCH');
    begin(Array.from({ length: 5 }, () => [created, gone]).flat());
    await assert.rejects(imgstore.resume('user', file, { key: 'one' }), { status: 410 });
    const begun = keys.filter((key) => key !== undefined);
    assert.deepEqual(begun, ['one', 'one:2', 'one:3', 'one:4', 'one:5']);
  });

  test('has the code of the error when its token has expired', async () => {
    const expired = error(401, 'token_expired');
    begin([created, error(503, 'unavailable'), { ...expired, body: '' }, expired]);
    await assert.rejects(imgstore.resume('user', file), { status: 401, code: 'token_expired' });
    assert.equal(methods.join(' '), 'POST PATCH HEAD GET');
  });
});
