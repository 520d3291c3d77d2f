import { json, serving } from '../testing/server';
import type { Arrived } from '../testing/server';
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { endResumable, sendResumable } from './resumable';
import type { ResumableFile, SendingFailed } from './resumable';

const file = new Blob(['0123456789']);

/** Uploads by their keys, as the server keeps them. */
const kept = new Map<string, { bytes: string; ended?: true }>();
/** What was asked for, and what is answered instead of what the server would say. */
let asked: string[] = [];
let instead: ((arrived: Arrived) => boolean) | undefined;
let progress: (readonly [bytes: number, isDurable: boolean])[] = [];

await serving((arrived) => {
  const { method, path, headers, body, answer } = arrived;
  const key =
    method === 'POST' ? String(headers['idempotency-key']) : (path.split('/').at(-1) ?? '');
  asked.push(`${method} ${key}${method === 'PATCH' ? ` ${String(headers['upload-offset'])}` : ''}`);
  if (instead?.(arrived)) return;
  const known = kept.get(key);
  if (known?.ended) return json(answer, 410, { error: { code: 'upload_ended' } });
  if (method === 'DELETE') {
    kept.set(key, { bytes: '', ended: true });
    return void answer.writeHead(204).end();
  }
  const upload = known ?? { bytes: '' };
  kept.set(key, upload);
  if (method === 'PATCH') upload.bytes += body.toString();
  answer.setHeader('Upload-Offset', upload.bytes.length);
  if (upload.bytes.length === file.size) answer.setHeader('Upload-Image-Id', 'image');
  if (method === 'POST') answer.setHeader('Location', `/elsewhere/uploads/${key}`);
  if (method === 'POST' && known) answer.setHeader('Idempotency-Replayed', 'true');
  answer.writeHead(method === 'POST' ? 201 : 200).end();
});

const sent = (more: Partial<ResumableFile> = {}): ResumableFile => ({
  at: '/uploads',
  file,
  key: 'k',
  fields: { filename: '지붕.jpg', folder_id: undefined },
  headers: { Authorization: 'User token' },
  onSent: (bytes, isDurable) => void progress.push([bytes, isDurable]),
  ...more,
});

/** @returns how sending fails. */
const failure = (): Promise<SendingFailed> =>
  sendResumable(sent()).then(
    () => assert.fail('it should fail'),
    (cause: unknown) => cause as SendingFailed,
  );

describe('a file that is sent in parts', () => {
  beforeEach(() => {
    kept.clear();
    asked = [];
    progress = [];
    instead = undefined;
  });

  test('a file is sent whole, with its name, and who sends it', async () => {
    instead = ({ method, headers }) => {
      if (method === 'POST') {
        assert.equal(headers['upload-length'], '10');
        assert.equal(
          headers['upload-metadata'],
          `filename ${Buffer.from('지붕.jpg').toString('base64')}`,
        );
      }
      assert.equal(headers.authorization, 'User token');
      return false;
    };
    assert.equal(await sendResumable(sent()), 'image');
    assert.deepEqual(asked, ['POST k', 'PATCH k 0']);
    assert.deepEqual(progress, [
      [0, true],
      [10, false],
      [10, true],
    ]);
  });

  test('it goes on from what the server has, and only asks for what has arrived already', async () => {
    kept.set('k', { bytes: '0123' });
    assert.equal(await sendResumable(sent()), 'image');
    assert.deepEqual(asked, ['POST k', 'HEAD k', 'PATCH k 4']);
    assert.equal(kept.get('k')?.bytes, '0123456789');
    assert.deepEqual(progress[0], [4, true]);
    asked = [];
    assert.equal(await sendResumable(sent()), 'image');
    assert.deepEqual(asked, ['POST k', 'HEAD k']);
  });

  test('an upload that is over begins anew under another key, which later attempts find', async () => {
    for (const key of ['k', 'k+']) kept.set(key, { bytes: '', ended: true });
    assert.equal(await sendResumable(sent()), 'image');
    assert.deepEqual(asked, ['POST k', 'POST k+', 'POST k++', 'PATCH k++ 0']);
    // Answers to HEAD have no body.
    kept.clear();
    kept.set('k', { bytes: '01' });
    instead = ({ method, path, answer }) => {
      if (method !== 'HEAD' || !path.endsWith('/k')) return false;
      answer.writeHead(404).end();
      return true;
    };
    assert.equal(await sendResumable(sent()), 'image');
  });

  test('a failure says whether it passes, and how long to wait', async () => {
    const answered = async (status: number, headers: Record<string, string> = {}) => {
      instead = ({ method, answer }) => {
        if (method !== 'PATCH') return false;
        answer.writeHead(status, headers).end('{}');
        return true;
      };
      const { passes, retryAfterMs } = await failure();
      return { passes, retryAfterMs };
    };
    for (const status of [408, 409, 423, 429, 500, 503]) {
      assert.deepEqual(await answered(status), { passes: true, retryAfterMs: 0 }, String(status));
    }
    assert.deepEqual(await answered(503, { 'Retry-After': '7' }), {
      passes: true,
      retryAfterMs: 7_000,
    });
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
    await endResumable(sent());
    assert.deepEqual(asked, ['POST k', 'DELETE k']);
    assert.ok(kept.get('k')?.ended);
    const stop = new AbortController();
    stop.abort(new Error('given up'));
    await assert.rejects(sendResumable(sent({ signal: stop.signal })), /given up/);
    assert.equal(asked.length, 2);
  });
});
