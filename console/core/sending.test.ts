import { json, serving } from '../testing/server';
import type { Arrived } from '../testing/server';
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Refusal } from './refusal';
import { endSending, send } from './sending';
import type { Sending, Sent } from './sending';

const file = new Blob(['0123456789']);

/** Uploads by their keys, as the server keeps them. */
const kept = new Map<string, { bytes: string; ended?: true }>();
/** What was asked for, and what is answered instead of what the server would say. */
let asked: string[] = [];
let instead: ((arrived: Arrived) => boolean) | undefined;
let progress: number[] = [];

await serving((arrived) => {
  const { method, path, headers, body, answer } = arrived;
  const key =
    method === 'POST' ? String(headers['idempotency-key']) : (path.split('/').at(-1) ?? '');
  asked.push(`${method} ${key}${method === 'PATCH' ? ` ${String(headers['upload-offset'])}` : ''}`);
  if (instead?.(arrived)) return;
  const known = kept.get(key);
  if (known?.ended) return json(answer, 410, { error: { code: 'upload_ended' } });
  if (method === 'DELETE') {
    if (known?.bytes.length === file.size) answer.setHeader('Upload-Image-Id', 'image');
    kept.set(key, { bytes: '', ended: true });
    return void answer.writeHead(204).end();
  }
  const upload = known ?? { bytes: '' };
  kept.set(key, upload);
  // The body of a request that begins an upload is read only once.
  if (method === 'PATCH' || !known) upload.bytes += body.toString();
  answer.setHeader('Upload-Offset', upload.bytes.length);
  if (upload.bytes.length === file.size) answer.setHeader('Upload-Image-Id', 'image');
  if (method === 'POST') answer.setHeader('Location', `/elsewhere/uploads/${key}`);
  if (method === 'POST' && known) answer.setHeader('Idempotency-Replayed', 'true');
  answer.writeHead(method === 'POST' ? 201 : 200).end();
});

const entrance = { at: '/uploads', headers: { Authorization: 'User token' } };

const sent = (more: Partial<Sent> = {}): Sent => ({
  file,
  key: 'k',
  fields: { filename: '지붕.jpg', folder_id: undefined },
  isBegun: false,
  ...more,
});

const sending = (more: Partial<Sending> = {}): Sending => ({
  inVain: 1,
  onAttempt: () => undefined,
  onSent: (bytes) => void progress.push(bytes),
  ...more,
});

/** @returns how sending fails. */
const failure = (): Promise<Refusal> =>
  send(entrance, sent({ isBegun: true }), sending()).then(
    () => assert.fail('it should fail'),
    (cause: unknown) => cause as Refusal,
  );

describe('a file that is sent', () => {
  beforeEach(() => {
    kept.clear();
    asked = [];
    progress = [];
    instead = undefined;
  });

  test('a small file takes one request, with its name, and who sends it', async () => {
    instead = ({ headers }) => {
      assert.equal(headers['upload-length'], '10');
      assert.equal(headers['content-type'], 'application/offset+octet-stream');
      assert.equal(
        headers['upload-metadata'],
        `filename ${Buffer.from('지붕.jpg').toString('base64')}`,
      );
      assert.equal(headers.authorization, 'User token');
      return false;
    };
    assert.equal(await send(entrance, sent(), sending()), 'image');
    assert.deepEqual(asked, ['POST k']);
    assert.deepEqual(progress, [10, 10]);
    assert.equal(kept.get('k')?.bytes, '0123456789');
  });

  test('a large one is begun without its bytes', async () => {
    const large = new Blob([new Uint8Array(4 * 1_048_576 + 1)]);
    let begun = -1;
    instead = ({ method, body, answer }) => {
      if (method === 'POST') begun = body.length;
      if (method === 'PATCH') answer.setHeader('Upload-Image-Id', 'image');
      return false;
    };
    assert.equal(await send(entrance, sent({ file: large }), sending()), 'image');
    assert.equal(begun, 0);
    assert.deepEqual(asked, ['POST k', 'PATCH k 0']);
  });

  test('it goes on from what the server has, and only asks for what has arrived already', async () => {
    kept.set('k', { bytes: '0123' });
    assert.equal(await send(entrance, sent({ isBegun: true }), sending()), 'image');
    assert.deepEqual(asked, ['POST k', 'HEAD k', 'PATCH k 4']);
    assert.equal(kept.get('k')?.bytes, '0123456789');
    assert.deepEqual(progress[0], 4);
    asked = [];
    assert.equal(await send(entrance, sent(), sending()), 'image');
    assert.deepEqual(asked, ['POST k', 'HEAD k']);
  });

  test('it is tried again while the failure passes, without its bytes where they may have arrived', async () => {
    const bodies: number[] = [];
    let left = 2;
    instead = ({ method, body, answer }) => {
      if (method === 'POST') bodies.push(body.length);
      if (method !== 'POST' || left-- <= 0) return false;
      answer.destroy();
      return true;
    };
    const said: string[] = [];
    const watched = sending({
      inVain: 3,
      onAttempt: () => void said.push('attempt'),
      onPause: () => {
        said.push('pause');
        queueMicrotask(() => dispatchEvent(new Event('online')));
      },
    });
    assert.equal(await send(entrance, sent(), watched), 'image');
    assert.deepEqual(bodies, [10, 0, 0]);
    assert.deepEqual(said, ['attempt', 'pause', 'attempt', 'pause', 'attempt']);
  });

  test('an upload that is over begins anew under another key, which later attempts find', async () => {
    for (const key of ['k', 'k+']) kept.set(key, { bytes: '', ended: true });
    assert.equal(await send(entrance, sent(), sending()), 'image');
    assert.deepEqual(asked, ['POST k', 'POST k+', 'POST k++']);
    // Answers to HEAD have no body.
    kept.clear();
    kept.set('k', { bytes: '01' });
    instead = ({ method, path, answer }) => {
      if (method !== 'HEAD' || !path.endsWith('/k')) return false;
      answer.writeHead(404).end();
      return true;
    };
    assert.equal(await send(entrance, sent(), sending()), 'image');
  });

  test('a failure says whether it passes, why, and how long to wait', async () => {
    const answered = async (status: number, headers: Record<string, string> = {}) => {
      instead = ({ method, answer }) => {
        if (method !== 'PATCH') return false;
        answer.writeHead(status, headers).end('{"error":{"code":"said"}}');
        return true;
      };
      const { passes, retryAfterMs, code } = await failure();
      return { passes, retryAfterMs, code };
    };
    const code = 'said';
    for (const status of [408, 409, 423, 429, 500, 503]) {
      const said = { passes: true, retryAfterMs: 0, code };
      assert.deepEqual(await answered(status), said, String(status));
    }
    const late = await answered(503, { 'Retry-After': '7' });
    assert.deepEqual(late, { passes: true, retryAfterMs: 7_000, code });
    for (const status of [400, 401, 413, 415]) {
      assert.equal((await answered(status)).passes, false, String(status));
    }
    // A proxy answers in place of the server.
    assert.equal((await answered(200)).passes, true);
    instead = ({ method, answer }) => {
      if (method === 'PATCH') answer.destroy();
      return method === 'PATCH';
    };
    assert.deepEqual([(await failure()).status, (await failure()).passes], [0, true]);
  });

  test('an upload that nobody wants any more is ended; a signal stops sending', async () => {
    assert.equal(await endSending(entrance, sent()), false);
    assert.deepEqual(asked, ['POST k', 'DELETE k']);
    assert.ok(kept.get('k')?.ended);
    kept.set('k', { bytes: '0123456789' });
    assert.equal(await endSending(entrance, sent()), true, 'it had been stored');
    const stop = new AbortController();
    stop.abort(new Error('given up'));
    await assert.rejects(send(entrance, sent(), sending({ signal: stop.signal })), /given up/);
    assert.equal(asked.length, 5);
  });
});
