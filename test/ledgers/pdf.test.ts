import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { done } from '../../testkit/expect.js';
import { bytesOf } from '../../testkit/fetch.js';
import { readPhoto } from '../../testkit/photos.js';
import { canvas } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { askFor, Document, ledgerOf } from './support.js';

const service = await testService();

describe('a ledger of photographs', async () => {
  const user = await service.user();
  const names = ['landscape_6.jpg', 'samplefilehub.heif', 'Arbitro.tiff', 'DSCN0010.jpg'];
  const images: Image[] = [];
  for (const [n, name] of names.entries()) {
    const fields = { original_name: name, address_road: '서울특별시 강남구 테헤란로 123' };
    const image = await user.upload(fields, await readPhoto(name));
    const taken = `2024-01-0${5 - n}T05:00:00Z`;
    await service.db.query('UPDATE images SET taken_at = $2 WHERE id = $1', [image.id, taken]);
    images.push(image);
  }
  const [rotated] = images;

  for (const language of ['ko', 'en']) {
    for (const layout of [1, 2, 4, 6]) {
      test(`has ${layout} on a page (${language})`, async () => {
        const ledger = await askFor(user, { layout: String(layout), language, title: '현장 A' });
        const document = await Document.of(await bytesOf(ledger.url));
        assert.equal(await document.pages(), 1 + Math.ceil(names.length / layout));
        assert.equal(ledger.pages, await document.pages());
        const pictures = await document.pictures();
        assert.equal(pictures.length, names.length);
        for (const { width, height, dots, kind } of pictures) {
          assert.equal(kind, 'rgb jpeg');
          // As many as it needs, but for those that the picture does not have.
          assert.ok(dots <= 205, `${width} x ${height}: ${dots}`);
        }
      });
    }
  }

  test('begins with the oldest, upright, with 200 dots an inch where there are as many', async () => {
    const document = await Document.of(await ledgerOf(user, { layout: '6' }));
    const last = (await document.pictures()).at(-1);
    assert.ok(rotated);
    const [width, height] = rotated.resolution.split('x').map(Number);
    assert.ok(last && width && height);
    assert.ok(Math.abs(last.width / last.height - width / height) < 0.02);
    const most = Math.max(...(await document.pictures()).map(({ dots }) => dots));
    assert.ok(most > 195, `${most}`);
    const text = await document.text();
    assert.ok(text.indexOf('2024-01-02') < text.indexOf('2024-01-05 14:00:00'), text);
    assert.match(text, /2024-01-02 – 2024-01-05/);
  });

  test('is fit for archives (PDF/A-1b), whatever its title has in it', async () => {
    const title = '하자 <b>& "보수" 😀';
    const pdf = await ledgerOf(user, { title });
    const document = await Document.of(pdf);
    assert.ok((await document.info()).includes(`Title:           ${title}\n`));
    const metadata = await document.metadata();
    assert.match(metadata, /<pdfaid:part>1<.+<pdfaid:conformance>B</);
    assert.match(metadata, /하자 &lt;b>&amp; "보수" 😀/);
    for (const part of ['/S /GTS_PDFA1', '/DestOutputProfile', '/CIDSet']) {
      assert.ok(pdf.includes(part), part);
    }
  });

  test('is in the order of ids, and the same bytes for the same request', async () => {
    const image_ids = images.map(({ id }) => id).join();
    const form = { image_ids, fields: 'number,original_name', language: 'en', title: 'Site A' };
    const pdf = await ledgerOf(user, form);
    assert.ok((await ledgerOf(user, form)).equals(pdf));
    const document = await Document.of(pdf);
    const text = await document.text();
    const places = names.map((name) => text.indexOf(name));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
      text,
    );
    assert.ok(places.every((place) => place > 0));
    assert.match(text, /2 ?\/ ?5/);
    assert.match(await document.info(), /Title: +Site A\n/);
    const other = await ledgerOf(user, { ...form, title: 'Site B' });
    const idOf = (bytes: Buffer) => /\/ID \[<(\w+)>/.exec(bytes.toString('latin1'))?.[1];
    assert.match(idOf(pdf) ?? '', /^[0-9a-f]{32}$/);
    assert.notEqual(idOf(other), idOf(pdf));
  });
});

test('without pictures is a title page, and its file has no date', async () => {
  const { url, count, pages } = await askFor(await service.user());
  assert.deepEqual([count, pages], [0, 1]);
  const { headers } = await fetch(url, { method: 'HEAD' });
  assert.equal(headers.get('content-disposition'), 'attachment; filename="ledger.pdf"');
});

test('captions have what is asked for', async () => {
  const user = await service.user();
  const image = await user.upload({
    address_land: '역삼동',
    address_land_number: '12-3',
    address_det: '5층',
    building_name: '한빛',
    latitude: '37.5',
    longitude: '127.0363',
    direction: '271.5',
  });
  const memos = `/images/${image.id}/memos`;
  done(await user.post(memos, { message: '내부 확인', is_client: 'False' }));
  done(await user.post(memos, { message: '의뢰 사항', is_client: 'True' }));
  done(await user.post(`/images/${image.id}/customs`, { key: '공종', value: '철근' }));
  const fields = [
    'address',
    'place',
    'direction',
    'memos',
    'client_memos',
    'customs',
    'custom:공종',
  ];
  const pdf = await ledgerOf(user, { fields: JSON.stringify(fields) });
  const text = await (await Document.of(pdf)).text();
  const lines = text.split('\n').map((line) => line.trim().replace(/\s+/g, ' '));
  for (const line of [
    '주소 역삼동 12-3 5층 (한빛)',
    '좌표 37.500000, 127.036300',
    '방향 271.5°',
    '메모 내부 확인',
    '고객 메모 의뢰 사항',
    '항목 공종: 철근',
    '공종 철근',
  ]) {
    assert.ok(lines.includes(line), `${line} in ${text}`);
  }
});

test('what is transparent is white', async () => {
  const user = await service.user();
  await user.upload({}, await canvas(1600, 1200, true).png().toBuffer());
  const [picture] = await (await Document.of(await ledgerOf(user))).pictures();
  assert.equal(picture?.kind, 'rgb jpeg');
});
