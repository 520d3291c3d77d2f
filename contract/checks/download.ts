import assert from 'node:assert/strict';
import { refused } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { Member } from '../../testkit/world.js';
import { picture } from '../../testkit/world.js';
import { unzip } from '../../testkit/zip.js';

const query = { view_type: 'list', download: 'True', search: '창고', date: '20240310' };

const download = (user: Member) =>
  user.tenant.client.raw('GET', `/api/v1/users/${user.id}/images`, {
    as: ['User', user.token],
    query,
  });

export const downloads = area('download', (check) => {
  check('listImages', '§6 the ZIP has the current versions as uploaded', async (world) => {
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

  check('listImages', '§6 without a match the ZIP has the empty table only', async (world) => {
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

  check('listImages', 'IF rule 6 download takes no trash', async (world) => {
    const answer = await (await world.user()).get('/images', { ...query, has_delete_at: 'True' });
    refused(answer, 400, 'invalid_field', 'has_delete_at');
  });
});
