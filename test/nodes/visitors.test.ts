import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, refused } from '../../testkit/expect.js';
import { Linker, Visitor } from '../../testkit/links.js';
import { testService } from '../../testkit/service.js';

const service = await testService();
const other = await service.secondNode();

test('what is paused, ended or given a password on one node is so at the next request on another', async () => {
  const album = await service.user();
  const folder = (await album.folder('현장')).id;
  await album.upload({ folder_id: folder });
  const links = new Linker(service.client, album);
  const { id, at } = await links.create({ kind: 'view', folder_id: folder });
  const visitor = new Visitor(other, at);
  const [picture] = done(await visitor.images()).images;
  const file = `/${picture?.thumb_url}`;
  const statuses = async () => [
    await visitor.page(),
    (await visitor.images()).status,
    (await visitor.raw('GET', file)).status,
  ];
  assert.deepEqual(await statuses(), [200, 200, 200]);
  await links.update(id, { state: 'paused' });
  assert.deepEqual(await statuses(), [410, 410, 410]);
  await links.update(id, { state: 'active', password: 'x' });
  assert.deepEqual(await statuses(), [200, 403, 403]);
  // Entered on one node, it holds on all.
  const here = new Visitor(service.client, at);
  const { headers } = await here.enter('x');
  const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
  done(await visitor.call('GET', '/images', { headers: { cookie } }));
  await links.end(id);
  assert.deepEqual(await statuses(), [410, 410, 410]);
  refused(await here.link(), 410, 'link_ended');
});
