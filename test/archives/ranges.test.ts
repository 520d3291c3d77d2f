import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { run } from '../../src/base/os/run.js';
import { objectKey } from '../../src/store/object-key.js';
import { archiverNames, check } from '../../testkit/archivers.js';
import { eventually } from '../../testkit/eventually.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { temporaryDirectory } from '../../testkit/temporary.js';
import type { Member } from '../../testkit/world.js';
import { readZip } from '../../testkit/zip.js';

const service = await testService();
const dir = await temporaryDirectory('ranges');
after(() => rm(dir, { recursive: true, force: true }));

const query = { view_type: 'list', download: 'True', search: '공원', date: '20250102' };
const fields = { created_at: '20250102_120000', address_road: '공원' };

const download = (user: Member, headers: Record<string, string> = {}, method = 'GET') =>
  service.client.raw(method, user.images, { as: ['User', user.token], query, headers });

const bytesOf = async (answer: Response): Promise<Buffer> =>
  Buffer.from(await answer.arrayBuffer());

async function upload(user: Member, seed: number, path = ''): Promise<Image> {
  const image_data = filePart(await jpeg({ width: 64, height: 48, seed }));
  const form = path === '' ? { ...fields, image_data } : { image_data };
  const as = ['User', user.token] as const;
  const { status, result } = await service.client.post<Image>(user.images + path, {
    as,
    form,
  });
  assert.equal(status, 200);
  return result;
}

async function userWith(count: number) {
  const user = await service.user();
  const images: Image[] = [];
  for (let seed = 0; seed < count; seed += 1) images.push(await upload(user, seed));
  return { user, images };
}

describe('an archive of three images', async () => {
  const { user } = await userWith(3);
  const whole = await download(user);
  const etag = whole.headers.get('etag') ?? '';
  const zip = await bytesOf(whole);

  test('has a length and a strong ETag', () => {
    assert.equal(Number(whole.headers.get('content-length')), zip.length);
    assert.match(etag, /^"[\w-]+"$/);
    assert.equal(whole.headers.get('accept-ranges'), 'bytes');
  });

  test('is served in ranges across every boundary of headers and files', async () => {
    const entries = readZip(zip);
    const starts = entries.map(({ data }) => zip.indexOf(data));
    const ends = entries.map(({ data }, n) => (starts[n] ?? 0) + data.length);
    const headers = [...zip.toString('latin1').matchAll(/PK[\x01\x03\x05][\x02\x04\x06]/g)].map(
      ({ index }) => index,
    );
    for (const at of [...starts, ...ends, ...headers]) {
      const [first, last] = [Math.max(0, at - 1), Math.min(at + 1, zip.length - 1)];
      const answer = await download(user, { range: `bytes=${first}-${last}` });
      assert.equal(answer.status, 206);
      assert.equal(answer.headers.get('content-range'), `bytes ${first}-${last}/${zip.length}`);
      assert.deepEqual(await bytesOf(answer), zip.subarray(first, last + 1), `at ${at}`);
    }
    const end = await download(user, { range: 'bytes=-30', 'if-range': etag });
    assert.deepEqual(await bytesOf(end), zip.subarray(-30));
  });

  test('is not sent again to a client that has it', async () => {
    const answer = await download(user, { 'if-none-match': etag });
    assert.equal(answer.status, 304);
    assert.equal(answer.headers.get('etag'), etag);
  });

  test('has nothing beyond its end', async () => {
    const answer = await download(user, { range: `bytes=${zip.length}-` });
    assert.equal(answer.status, 416);
    assert.equal(answer.headers.get('content-range'), `bytes */${zip.length}`);
  });

  test('answers HEAD with its length', async () => {
    const { headers } = await download(user, { range: 'bytes=0-1' }, 'HEAD');
    assert.equal(Number(headers.get('content-length')), zip.length);
  });
});

test('only a change of the list, of a file or of a record changes the ETag', async () => {
  const { user } = await userWith(2);
  const tags: (string | null)[] = [];
  const look = async (): Promise<void> => {
    const answer = await download(user, { range: 'bytes=0-0', 'if-range': tags.at(-1) ?? '""' });
    assert.equal(answer.status, tags.length === 0 || tags.length > 1 ? 200 : 206);
    await answer.arrayBuffer();
    tags.push(answer.headers.get('etag'));
  };
  await look();
  await look();
  const image = await upload(user, 9);
  await look();
  await upload(user, 10, `/${image.id}/filedata`);
  await look();
  await service.client.put(`${user.images}/${image.id}`, {
    as: ['User', user.token],
    form: { address_det: '창고' },
  });
  await look();
  assert.equal(tags[0], tags[1]);
  assert.equal(new Set(tags).size, 4);
});

test('images stored before checksums were kept give the same archive', async () => {
  const { user } = await userWith(3);
  const before = await bytesOf(await download(user));
  const forget = 'UPDATE image_versions SET crc32 = NULL WHERE user_id = $1';
  await service.db.query(forget, [user.id]);
  const end = await download(user, { range: 'bytes=-100' });
  assert.deepEqual(await bytesOf(end), before.subarray(-100));
  await service.db.query(forget, [user.id]);
  assert.deepEqual(await bytesOf(await download(user)), before);
  await eventually('and are not read for it again', async () => {
    const [left] = await service.db.query<{ count: number }[]>(
      'SELECT count(*)::int AS count FROM image_versions WHERE user_id = $1 AND crc32 IS NULL',
      [user.id],
    );
    return left?.count === 0;
  });
});

test('an image whose object is missing fails a download once, and is omitted until it is back', async () => {
  const { user, images } = await userWith(2);
  const [lost] = images;
  assert.ok(lost);
  const { id } = lost;
  const version = { platformId: user.platformId, userId: user.id, imageId: id, versionId: id };
  const key = objectKey(version, 'original', 'jpg');
  const kept = await bytesOf(await fetch(lost.org_path_url));
  await service.service.store.delete([key]);
  const refused = await download(user);
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get('retry-after'), '1');
  await refused.arrayBuffer();
  const names = async (): Promise<string[]> =>
    readZip(await bytesOf(await download(user))).map(({ name }) => name);
  assert.equal((await names()).length, 2);
  const path = join(service.home.incoming, 'again');
  await writeFile(path, kept);
  await service.service.store.put([{ key, path }]);
  assert.equal((await names()).length, 3);
});

describe('an interrupted download with curl', () => {
  test('resumes where it stopped, and opens in every archiver', async () => {
    const { user } = await userWith(3);
    const url = `${service.client.base}${user.images}?${new URLSearchParams(query).toString()}`;
    const path = join(dir, 'resumed.zip');
    const whole = await bytesOf(await download(user));
    await writeFile(path, whole.subarray(0, Math.floor(whole.length / 2)));
    const auth = `Authorization: User ${user.token}`;
    const { code, output } = await run('curl', ['-sSf', '-C', '-', '-H', auth, '-o', path, url]);
    assert.equal(code, 0, output);
    for (const archiver of archiverNames) await check(archiver, path);
  });
});
