import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { ServiceError } from '../../src/base/errors/catalogue.js';
import { objectKey } from '../../src/store/object-key.js';
import { eventually } from '../../testkit/eventually.js';
import { holdUp } from '../../testkit/held-imaging.js';
import { done, refused } from '../../testkit/expect.js';
import { seedImages } from '../../testkit/image-rows.js';
import { readPhoto } from '../../testkit/photos.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';
import { unzip } from '../../testkit/zip.js';
import { askFor, Document, file, ledgerOf, printed } from './support.js';

const service = await testService();
const { imaging, store } = service.service;

const memo = async (user: Member, { id }: Image, message: string): Promise<void> => {
  done(await user.post(`/images/${id}/memos`, { message, is_client: 'False' }));
};

const originalOf = ({ id: userId, platformId }: Member, id: string): string =>
  objectKey({ platformId, userId, imageId: id, versionId: id }, 'original', 'jpg');

test('texts of any kind stay in their place', async () => {
  const user = await service.user();
  for (const message of [
    '긴 메모입니다. '.repeat(1100),
    'x'.repeat(400),
    '\u202eשלום مرحبا\u202c end',
    '👨‍👩‍👧😀 ok \u0007',
    `=cmd|'/c calc'!A1`,
    'line\r\n\r\n\r\nline\t tab',
    '‮'.repeat(10_000),
  ]) {
    await memo(user, await user.upload(), message);
  }
  for (const layout of ['1', '6']) {
    const document = await Document.of(
      await ledgerOf(user, { layout, fields: 'number,memos', title: '<&> 😀 "\\(' }),
    );
    assert.equal(await document.pages(), layout === '1' ? 8 : 3);
    const text = await document.text();
    assert.match(text, /□□□□ □□□□□ end/);
    assert.match(text, /□□ ok\n/);
    assert.match(text, /…/);
    assert.match(text, /=cmd\|'\/c calc'!A1/);
  }
  const files = unzip(
    await ledgerOf(user, { format: 'xlsx', fields: 'memos', title: '<&>\u0007' }),
  );
  for (const [name, bytes] of files) {
    if (name.endsWith('.xml')) await printed('python3', '-c', parse, await file(bytes, 'xml'));
  }
  assert.ok(String(files.get('xl/worksheets/sheet1.xml')).includes('긴 메모입니다. '.repeat(1000)));
});

/** Whether a file is well-formed XML. */
const parse = 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])';

test('pictures of any shape are shown, also those of which a part is missing', async () => {
  const user = await service.user();
  const line = { width: 1, height: 30_000, channels: 3, background: 'red' } as const;
  await user.upload({}, await sharp({ create: line }).png().toBuffer());
  const photo = await readPhoto('DSCN0010.jpg');
  const cut = await user.upload({}, photo.subarray(0, Math.floor(photo.length * 0.8)));
  assert.equal(cut.is_incomplete, true);
  const pictures = await (await Document.of(await ledgerOf(user, { layout: '2' }))).pictures();
  assert.deepEqual(
    pictures.map(({ kind }) => kind),
    ['rgb jpeg', 'rgb jpeg'],
  );
});

describe('a picture that cannot be shown is an empty place', () => {
  test('whose file is missing or damaged', async () => {
    const user = await service.user();
    const [lost, torn, whole] = [await user.upload(), await user.upload(), await user.upload()];
    await store.delete([originalOf(user, lost.id), originalOf(user, torn.id)]);
    await store.put([
      { key: originalOf(user, torn.id), path: await file(Buffer.from('no'), 'jpg') },
    ]);
    const image_ids = [lost, torn, whole].map(({ id }) => id).join();
    const document = await Document.of(await ledgerOf(user, { image_ids, language: 'en' }));
    const text = await document.text();
    assert.match(text, /The file is missing[^]*The file is damaged/);
    assert.equal((await document.pictures()).length, 1);
    const files = unzip(await ledgerOf(user, { image_ids, format: 'xlsx', language: 'en' }));
    const sheet = String(files.get('xl/worksheets/sheet1.xml'));
    assert.match(sheet, /r="A4"[^>]*>.*The file is missing.*r="A5"[^>]*>.*The file is damaged/s);
    const drawing = String(files.get('xl/drawings/_rels/drawing1.xml.rels'));
    assert.deepEqual(drawing.match(/media\/\d+\.jpg/g), ['media/3.jpg']);
  });

  test('whose image is deleted while the ledger is written', async () => {
    const user = await service.user();
    const folder = await user.folder('emptied');
    const first = await user.upload({ folder_id: folder.id, taken_at: '20200101_000000' });
    const rows = Array.from({ length: 120 }, () => ({ folder_id: folder.id }));
    const ids = await seedImages(service, user, rows);
    const held = holdUp(imaging);
    const form = { folder_id: folder.id, layout: '6', language: 'en' };
    const ledger = ledgerOf(user, form);
    await held.reached();
    await service.db.query('DELETE FROM images WHERE id = ANY ($1::uuid[])', [ids]);
    held.goOn();
    const document = await Document.of(await ledger);
    assert.equal(await document.pages(), 1 + Math.ceil(121 / 6));
    assert.match(await document.text(), /Deleted picture/);
    assert.equal((await document.pictures()).length, 1);
    assert.ok(first);
  });
});

test('a picture that cannot be made now is made later, not left out', async () => {
  const user = await service.user();
  await user.upload();
  let tries = 0;
  const held = holdUp(imaging, () => {
    tries += 1;
    if (tries === 2) held.goOn();
    return new ServiceError('unavailable', { retryAfter: 0 });
  });
  assert.equal((await (await Document.of(await ledgerOf(user))).pictures()).length, 1);
  assert.equal(tries, 2);
});

test('a client that leaves halfway, or takes nothing, holds nothing that others need', async () => {
  const user = await service.user();
  for (let n = 0; n < 3; n += 1) await user.upload();
  const { url } = await askFor(user);
  const before = await readdir(service.home.incoming);
  const held = holdUp(imaging);
  const leaving = new AbortController();
  const gone = Array.from({ length: 3 }, () => fetch(url, { signal: leaving.signal }));
  await held.reached();
  leaving.abort();
  await Promise.allSettled(gone);
  held.goOn();
  await eventually('its files are removed', async () => {
    return (await readdir(service.home.incoming)).length === before.length;
  });
  // Nobody reads the bodies of these.
  const idle = await Promise.all(Array.from({ length: 8 }, () => fetch(url)));
  const other = await service.user(user.tenant);
  await other.upload();
  assert.equal((await (await Document.of(await ledgerOf(other))).pictures()).length, 1);
  for (const { body } of idle) await body?.cancel();
});

test('a full disk is 503; a picture that cannot be made for long breaks the ledger off', async () => {
  const user = await service.user();
  await user.upload();
  const { url } = await askFor(user);
  const full = await service.node();
  await full.stop();
  await full.start({ 'limits.min_free_disk_mb': 1e9 });
  const { pathname, search } = new URL(url);
  const answer = await fetch(new URL(pathname + search, full.url));
  assert.equal(answer.status, 503);
  await full.stop();
  const held = holdUp(imaging, () => new ServiceError('unavailable', { retryAfter: 0 }));
  await assert.rejects(fetch(url).then((broken) => broken.arrayBuffer()));
  held.goOn();
  assert.equal((await (await Document.of(await ledgerOf(user))).pictures()).length, 1);
});

test('more than 2,000 images are refused', async () => {
  const user = await service.user();
  await seedImages(
    service,
    user,
    Array.from({ length: 2001 }, () => ({ address_road: 'x' })),
  );
  refused(await user.post('/images/ledger'), 400, 'too_many_images');
  assert.equal((await askFor(user, { layout: '6', search: 'nothing' })).pages, 1);
});
