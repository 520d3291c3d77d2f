import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { row } from '../../src/database/sql.js';
import { eventually } from '../../testkit/eventually.js';
import { sha256 } from '../../testkit/fetch.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { RawConnection } from '../faults/raw-connection.js';
import { openUpload } from '../faults/raw-upload.js';
import { assertOnce, isReplayed, KeyedUser, seen, type KeyedCall } from './keyed-user.js';
import { uploadsIn } from '../../testkit/temporary.js';

const service = await testService();
const { db, home } = service;
const { imaging } = service.service;
const keyed = await KeyedUser.of(service);

/** Number of pictures that were sent to the imaging process. */
let decoded = 0;
const decode = imaging.process.bind(imaging);
imaging.process = (...given) => {
  decoded += 1;
  return decode(...given);
};

let seed = 0;
const picture = (): Promise<Buffer> => jpeg({ width: 320, height: 240, seed: (seed += 1) });
type Form = NonNullable<KeyedCall['form']>;
const upload = (form: Form, path = '/images'): KeyedCall => ({ method: 'POST', path, form });
const images = async (userId = keyed.user.id): Promise<number> =>
  (await row<{ n: number }>(db, 'SELECT count(*) AS n FROM images WHERE user_id = $1', [userId]))
    ?.n ?? NaN;
const send = (call: KeyedCall, key: string) => keyed.send<Image>(call, key);
const incoming = (): Promise<string[]> => uploadsIn(home.incoming);
/** A file is removed soon after the response, not before it. */
const untilRemoved = () =>
  eventually('files are removed', async () => (await incoming()).length === 0);

/** Asserts that an action decodes nothing and adds no image. */
async function withoutWork<T>(act: () => Promise<T>): Promise<T> {
  const before = [decoded, await images()];
  const result = await act();
  assert.deepEqual([decoded, await images()], before);
  return result;
}

describe('a repeated upload', () => {
  test('is answered without decoding, with or without its hash, before or after the file', async () => {
    const bytes = await picture();
    const image_hash = sha256(bytes);
    const image_data = filePart(bytes);
    const first = await send(upload({ image_data, has_det: 'True' }), 'plain');
    assert.equal(first.status, 200);
    await withoutWork(async () => {
      const forms: Form[] = [
        { image_data, has_det: 'True' },
        { has_det: 'true', upload_type: 'gallery', image_data },
        { image_hash, has_det: 'True', image_data },
        { has_det: 'True', image_data, image_hash: image_hash.toUpperCase() },
        { image_hash, image_data, has_det: 'True' },
      ];
      for (const form of forms) {
        const repeat = await send(upload(form), 'plain');
        assert.deepEqual(seen(repeat), seen(first), Object.keys(form).join());
        assert.ok(isReplayed(repeat));
      }
    });
    const { path_url: url } = first.result;
    assert.equal((await fetch(url)).status, 200);
  });

  test('with another file, hash, or fields is refused, and changes nothing', async () => {
    const [bytes, other] = [await picture(), await picture()];
    const image_data = filePart(bytes);
    await send(upload({ image_data }), 'other');
    const reused = 'idempotency_key_reused';
    await withoutWork(async () => {
      const forms: [Form, number, string][] = [
        [{ image_data: filePart(other) }, 422, reused],
        [{ image_hash: sha256(other), image_data: filePart(other) }, 422, reused],
        [{ image_data, has_det: 'False' }, 422, reused],
        [{ image_hash: sha256(bytes), has_det: 'False', image_data }, 422, reused],
        [{ image_hash: '0'.repeat(64), image_data }, 422, reused],
        [{ image_data, image_hash: '0'.repeat(64) }, 400, 'hash_mismatch'],
        [{ has_det: 'True' }, 400, 'missing_field'],
      ];
      for (const [form, expected, code] of forms) {
        const { status, error } = await send(upload(form), 'other');
        assert.deepEqual([status, error?.code], [expected, code]);
      }
    });
  });

  test('is answered even if the quota is used up and the image has been deleted', async () => {
    const full = await KeyedUser.of(service);
    const bytes = await picture();
    const call = upload({ image_data: filePart(bytes) });
    const quota = { max_storage_mb: String(bytes.length / 1_048_576) };
    await full.send({ method: 'PUT', path: '', form: quota });
    const first = await full.send<Image>(call, 'full');
    assert.equal(first.status, 200, first.error?.message);
    const another = await full.send(call, 'another');
    assert.equal(another.error?.code, 'storage_quota_exceeded');
    assert.deepEqual(seen(await full.send(call, 'full')), seen(first));
    const edit = upload({ image_data: filePart(bytes) }, `/images/${first.result.id}/filedata`);
    await full.send({ method: 'PUT', path: '', form: { max_storage_mb: '10' } });
    const edited = await full.send<Image>(edit, 'edit');
    assert.deepEqual([edited.status, edited.result.filedata_total], [200, 1]);
    await full.send({
      method: 'PUT',
      path: `/images/${first.result.id}`,
      form: { delete: 'True' },
    });
    assert.deepEqual(seen(await full.send(edit, 'edit')), seen(edited));
    assert.equal(await images(full.user.id), 1);
  });

  test('eight concurrent ones: none is decoded more than once', async () => {
    for (const hashed of [false, true]) {
      const bytes = await picture();
      const [before, had] = [decoded, await images()];
      const form = { ...(hashed && { image_hash: sha256(bytes) }), image_data: filePart(bytes) };
      assertOnce(
        await Promise.all(
          Array.from({ length: 8 }, () => send(upload(form), `eight-${String(hashed)}`)),
        ),
      );
      assert.deepEqual([decoded, await images()], [before + 1, had + 1]);
    }
  });
});

describe('an upload whose key is known', () => {
  const head = (fields: Record<string, string>): string =>
    Object.entries(fields)
      .map(
        ([name, value]) =>
          `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      )
      .join('') +
    '--b\r\nContent-Disposition: form-data; name="image_data"; filename="a.jpg"\r\n\r\n';
  const start = (key: string, length: number): string =>
    [
      `POST ${keyed.user.images} HTTP/1.1`,
      'Host: x',
      `Authorization: User ${keyed.user.token}`,
      'Content-Type: multipart/form-data; boundary=b',
      `Content-Length: ${length}`,
      `Idempotency-Key: ${key}`,
      '\r\n',
    ].join('\r\n');
  const end = '\r\n--b--\r\n';

  test('is answered as soon as its hash is known; the rest is discarded', async () => {
    const bytes = await picture();
    const image_hash = sha256(bytes);
    const first = await send(upload({ image_data: filePart(bytes) }), 'early');
    await untilRemoved();
    await withoutWork(async () => {
      const connection = await RawConnection.open(service.client.base);
      const fields = head({ image_hash });
      await connection.send(start('early', fields.length + bytes.length + end.length));
      await connection.send(fields);
      // The parser holds the first bytes back, as a possible boundary, until more follow.
      await connection.send(bytes.subarray(0, 100));
      const { status, headers, result } = await connection.answer();
      assert.deepEqual([status, headers.get('idempotency-replayed')], [200, 'true']);
      assert.equal((result as Image).id, first.result.id);
      assert.deepEqual(await incoming(), []);
      await connection.send(bytes.subarray(100));
      await connection.send(end);
      await connection.send(`GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      await connection.ended();
      assert.match(connection.received.slice(1), /HTTP\/1\.1 200 OK/);
    });
  });

  test('is not written to disk while it arrives without its hash', async () => {
    const bytes = await picture();
    await send(upload({ image_data: filePart(bytes) }), 'unnamed');
    await untilRemoved();
    await withoutWork(async () => {
      const connection = await RawConnection.open(service.client.base);
      const fields = head({});
      await connection.send(start('unnamed', fields.length + bytes.length + end.length));
      await connection.send(fields);
      await connection.send(bytes.subarray(0, bytes.length / 2));
      // Once this is answered, everything sent before has been received.
      await send(upload({ image_data: filePart(bytes) }), 'unnamed');
      assert.deepEqual(await incoming(), []);
      await connection.send(bytes.subarray(bytes.length / 2));
      await connection.send(end);
      assert.equal((await connection.answer()).status, 200);
    });
  });
});

describe('an upload that is still arriving', () => {
  const half = async (key: string, bytes: Buffer) => {
    await untilRemoved();
    const headers = { 'idempotency-key': key };
    const raw = openUpload(service.client.base, keyed.user, bytes, headers);
    raw.write(0, bytes.length / 2);
    await eventually('it arrives', async () => (await incoming()).length > 0);
    return raw;
  };

  test('holds its key, on other nodes too', async () => {
    const second = keyed.through(await service.secondNode());
    const bytes = await picture();
    const raw = await half('slow', bytes);
    for (const sender of [keyed, second]) {
      const answer = await sender.send(upload({ image_data: filePart(bytes) }), 'slow');
      assert.deepEqual([answer.status, answer.error?.code], [409, 'request_in_progress']);
      assert.equal(answer.headers.get('retry-after'), '1');
    }
    raw.write(bytes.length / 2, bytes.length);
    raw.end();
    const { status, result } = await raw.answer;
    assert.equal(status, 200);
    const repeat = await second.send<Image>(upload({ image_data: filePart(bytes) }), 'slow');
    assert.deepEqual([repeat.result.id, isReplayed(repeat)], [result.id, true]);
  });

  test('does not use up its key when it is aborted or its picture is refused', async () => {
    const bytes = await picture();
    const raw = await half('broken', bytes);
    raw.request.destroy();
    await untilRemoved();
    const words = upload({ image_data: filePart(Buffer.from('no picture')) });
    await eventually('the key is free', async () => {
      const { error } = await send(words, 'broken');
      assert.ok(['request_in_progress', 'unsupported_image'].includes(error?.code ?? ''));
      return error?.code === 'unsupported_image';
    });
    const right = await send(upload({ image_data: filePart(bytes) }), 'broken');
    assert.deepEqual([right.status, isReplayed(right)], [200, false]);
  });
});
