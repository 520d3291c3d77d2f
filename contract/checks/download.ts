import assert from 'node:assert/strict';
import { done, refused } from '../../testkit/expect.js';
import { canvas } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { area } from '../harness.js';
import type { Member } from '../../testkit/world.js';
import { picture } from '../../testkit/world.js';
import { unzip } from '../../testkit/zip.js';

const query = { view_type: 'list', download: 'True', search: '창고', date: '20240310' };

const download = (user: Member, more: Record<string, string> = {}, method = 'GET') =>
  user.tenant.client.raw(method, `/api/v1/users/${user.id}/images`, {
    as: ['User', user.token],
    query: { ...query, ...more },
  });

export const downloads = area('download', (check) => {
  check('listImages', '§6.17 the ZIP has the current versions as uploaded', async (world) => {
    const user = await world.user();
    const fields = { created_at: '20240310_120000', building_name: '창고' };
    const [plain, edited] = [await picture(), await picture()];
    const first = await user.upload(fields, plain);
    const second = await user.edit(await user.upload(fields), edited);
    await user.upload({ ...fields, created_at: '20240311_000000' });
    await user.upload({ ...fields, building_name: '사무실' });
    const answer = await download(user);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/zip\b/);
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; .*\d{8}.*\.zip/);
    const files = unzip(Buffer.from(await answer.arrayBuffer()));
    assert.equal(files.size, 3);
    const pictures = [...files].filter(([name]) => name !== 'images.csv').map(([, bytes]) => bytes);
    assert.ok(pictures.some((bytes) => bytes.equals(plain)));
    assert.ok(pictures.some((bytes) => bytes.equals(edited)));
    const csv = files.get('images.csv');
    assert.deepEqual(csv?.subarray(0, 3), Buffer.from([0xef, 0xbb, 0xbf]));
    for (const { id, filename } of [first, second]) {
      assert.ok(csv.includes(id) || csv.includes(filename));
    }
    assert.ok(csv.includes('창고'));
  });

  check(
    'listImages',
    '§6.17 the CSV has a line for each record, and no formulas',
    async (world) => {
      const user = await world.user();
      const fields = { created_at: '20240310_120000', building_name: '창고' };
      const bytes = await canvas(400, 1200).jpeg().toBuffer();
      const whole = await user.upload({ ...fields, address_road: '=창고, "남쪽"' }, bytes);
      const cut = bytes.subarray(0, bytes.length * 0.8);
      const incomplete = await user.upload({ ...fields, address_det: '-1' }, cut);
      const answer = await download(user, { with_memo: 'True' });
      const files = unzip(Buffer.from(await answer.arrayBuffer()));
      const text = files.get('images.csv')?.toString() ?? '';
      assert.ok(text.startsWith('\uFEFFfile,id,filename,'));
      const [head = '', ...lines] = text.trimEnd().split('\r\n');
      assert.equal(lines.length, 2);
      const lineOf = ({ id }: Image) => lines.find((line) => line.includes(id)) ?? '';
      const { id, filename } = whole;
      const [file = ''] = lineOf(whole).split(',');
      assert.ok(files.get(file)?.equals(bytes), 'the entry that the line names');
      assert.ok(lineOf(whole).startsWith(`${file},${id},${filename},,20240310_120000,`));
      assert.ok(lineOf(whole).includes(`,"'=창고, ""남쪽""",`), 'quoted, and no formula');
      assert.ok(lineOf(incomplete).includes(`,'-1,`), 'no formula either');
      assert.ok(lineOf(whole).endsWith(',[],,'), 'memos as asked for');
      const column = head.split(',').indexOf('is_incomplete');
      assert.equal(lineOf(incomplete).split(',')[column], 'true');
    },
  );

  check('listImages', '§6.17 the ZIP takes has_det into account', async (world) => {
    const user = await world.user();
    await user.upload({ created_at: '20240310_120000', building_name: '창고' });
    const answer = await download(user, { has_det: 'True' });
    assert.equal(unzip(Buffer.from(await answer.arrayBuffer())).size, 1);
  });

  for (const more of [{ view_type: 'grid' }, { download: 'False' }, { download: 'None' }]) {
    check('listImages', `§6.17 no ZIP for ${JSON.stringify(more)}`, async (world) => {
      const user = await world.user();
      done(await user.get('/images', { ...query, ...more }));
    });
  }

  check('listImages', '§6.17 HEAD of a ZIP has no body', async (world) => {
    const answer = await download(await world.user(), {}, 'HEAD');
    assert.equal(answer.headers.get('content-type'), 'application/zip');
    assert.equal((await answer.arrayBuffer()).byteLength, 0);
  });

  check('listImages', '§6.17 without a match the ZIP has only an empty CSV', async (world) => {
    const answer = await download(await world.user());
    assert.equal(answer.status, 200);
    assert.deepEqual([...unzip(Buffer.from(await answer.arrayBuffer())).keys()], ['images.csv']);
  });

  for (const field of ['search', 'date'] as const) {
    check('listImages', `IF rule 6 download needs ${field}`, async (world) => {
      const { [field]: without, ...rest } = query;
      assert.ok(without);
      refused(await (await world.user()).get('/images', rest), 400, 'missing_field', field);
    });
  }

  check('listImages', 'IF rule 6 download does not accept trash', async (world) => {
    const answer = await (await world.user()).get('/images', { ...query, has_delete_at: 'True' });
    refused(answer, 400, 'invalid_field', 'has_delete_at');
  });
});
