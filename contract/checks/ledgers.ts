import assert from 'node:assert/strict';
import { done, nobody, refused } from '../../testkit/expect.js';
import type { Archive, Ledger } from '../../testkit/records.js';
import { unzip } from '../../testkit/zip.js';
import { area } from '../harness.js';

const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const fetched = async (url: string, type: string): Promise<Buffer> => {
  const answer = await fetch(url);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), type);
  return Buffer.from(await answer.arrayBuffer());
};

export const ledgers = area('ledgers', (check) => {
  check('createLedger', 'X16.3 pages of pictures, the same bytes each time', async (world) => {
    const user = await world.user();
    const folder = await user.folder('현장');
    for (let n = 0; n < 3; n += 1) await user.upload({ folder_id: folder.id });
    await user.trash(await user.upload({ folder_id: folder.id }));
    await user.upload();
    const ask = (form: Record<string, string>) =>
      user.post<Ledger>('/images/ledger', { folder_id: folder.id, ...form }).then(done);
    const two = await ask({ layout: '2', title: '준공 사진' });
    assert.deepEqual([two.count, two.pages], [3, 3]);
    const pdf = await fetched(two.url, 'application/pdf');
    assert.match(pdf.toString('latin1'), /^%PDF-1\.\d[^]*%%EOF\s*$/);
    assert.equal(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length, 3);
    const again = await ask({ layout: '2', title: '준공 사진' });
    assert.notEqual(again.url, two.url);
    assert.ok((await fetched(again.url, 'application/pdf')).equals(pdf));
    assert.equal((await ask({ layout: '6', language: 'en' })).pages, 2);
    assert.equal((await ask({})).pages, 4);
    const none = await ask({ search: 'nowhere' });
    assert.deepEqual([none.count, none.pages], [0, 1]);
    await fetched(none.url, 'application/pdf');
  });

  check('createLedger', 'X16.3 a workbook has text and no formulas', async (world) => {
    const user = await world.user();
    const image = await user.upload({ address_road: '=cmd|calc' });
    done(await user.post(`/images/${image.id}/memos`, { message: 'a & b <c>', is_client: 'True' }));
    done(await user.post(`/images/${image.id}/customs`, { key: '공종', value: '철근' }));
    const form = {
      image_ids: image.id,
      format: 'xlsx',
      fields: JSON.stringify([
        'number',
        'taken_at',
        'address',
        'memos',
        'client_memos',
        'custom:공종',
      ]),
    };
    const { url } = done(await user.post<Ledger>('/images/ledger', form));
    const files = unzip(await fetched(url, workbook));
    const sheet = String(files.get('xl/worksheets/sheet1.xml'));
    const texts = [
      ...sheet.matchAll(/<c r="([A-Z]+)4"[^>]* t="inlineStr"><is><t [^>]*>(.*?)<\/t>/gs),
    ];
    assert.deepEqual(
      texts.map(([, column, text]) => `${column} ${text}`),
      ['B 1', 'D =cmd|calc', 'F a &amp; b &lt;c&gt;', 'G 철근'],
    );
    assert.doesNotMatch(sheet, /<f[ >]/);
    const picture = files.get('xl/media/1.jpg');
    assert.equal(picture?.readUInt16BE(0), 0xffd8);
  });

  check('createLedger', 'X16.3 what cannot be a ledger is 400', async (world) => {
    const user = await world.user();
    const { id } = await user.upload();
    const wrong = [
      [{ image_ids: id, located: 'True' }, 'image_ids'],
      [{ image_ids: `${id},`.repeat(2001) }, 'image_ids'],
      [{ layout: '3' }, 'layout'],
      [{ format: 'docx' }, 'format'],
      [{ fields: 'number,colour' }, 'fields'],
      [{ fields: 'custom:' }, 'fields'],
      [{ fields: 'number,'.repeat(13) }, 'fields'],
      [{ title: 'x'.repeat(201) }, 'title'],
      [{ language: 'fr' }, 'language'],
    ] as const;
    for (const [form, field] of wrong) {
      refused(await user.post('/images/ledger', form), 400, 'invalid_field', field);
    }
    for (const unknown of [nobody, 'x']) {
      const answer = await user.post('/images/ledger', { image_ids: unknown });
      refused(answer, 400, 'image_not_found', 'image_ids');
    }
    await user.trash(await user.image(id));
    const trashed = await user.post('/images/ledger', { image_ids: id });
    refused(trashed, 400, 'image_in_trash', 'image_ids');
  });

  check('getLedger', 'X16.3 an address is one of 20, and opens nothing else', async (world) => {
    const user = await world.user();
    const { url } = done(await user.post<Ledger>('/images/ledger'));
    const archive = done(await user.post<Archive>('/images/archive'));
    const status = async (address: string) => (await world.client.raw('GET', address)).status;
    assert.equal(await status(url), 200);
    assert.equal(await status(url.replace('/ledger/', '/archive/')), 403);
    assert.equal(await status(archive.url.replace('/archive/', '/ledger/')), 403);
    assert.equal(await status(url.replace(/sig=../, 'sig=xx')), 403);
    assert.equal(await status(url.replace(/\?.*/, '')), 401);
    for (let n = 2; n < 20; n += 1) done(await user.post('/images/ledger'));
    refused(await user.post('/images/ledger'), 400, 'too_many_archives');
  });
});
