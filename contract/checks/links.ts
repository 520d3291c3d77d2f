import assert from 'node:assert/strict';
import { done, nobody, refused } from '../../testkit/expect.js';
import { Linker, Visitor } from '../../testkit/links.js';
import { jpeg } from '../../testkit/pictures.js';
import type { Archive, Folder, Page } from '../../testkit/records.js';
import { TusClient } from '../../testkit/tus.js';
import type { Member, World } from '../../testkit/world.js';
import { unzip } from '../../testkit/zip.js';
import { area } from '../harness.js';

interface Album {
  readonly user: Member;
  readonly folder: Folder;
  readonly links: Linker;
}

async function album(world: World): Promise<Album> {
  const user = await world.user();
  const folder = await user.folder('shared');
  return { user, folder, links: new Linker(world.client, user) };
}

export const links = area('links', (check) => {
  check('createLink', 'X10.1 a link shows its URL, and opens a folder', async (world) => {
    const { user, folder, links } = await album(world);
    const made = await links.create({ kind: 'view', folder_id: folder.id, title: '현장' });
    assert.match(made.url ?? '', /\/s\/[\w-]{22}$/);
    const { at, ...record } = made;
    assert.deepEqual(await links.read(made.id), record);
    const visitor = new Visitor(world.client, at);
    assert.deepEqual(done(await visitor.link()).link?.title, '현장');
    assert.deepEqual(done(await visitor.images()).images, []);
    await user.upload({ folder_id: folder.id });
    const page = done(await visitor.images());
    assert.equal(page.images.length, 1);
    assert.equal(await visitor.page(), 200);
    assert.equal((await links.read(made.id)).visits, 1);
    refused(await visitor.images({ limit: 0 }), 400, 'invalid_field', 'limit');
  });

  check('createLink', 'X10.1 what it opens must be there', async (world) => {
    const { links } = await album(world);
    refused(await links.tryCreate({ kind: 'view' }), 400, 'missing_field', 'folder_id');
    const unknown = { kind: 'view', folder_id: nobody };
    refused(await links.tryCreate(unknown), 400, 'folder_not_found', 'folder_id');
    const images = { kind: 'view', image_ids: nobody };
    refused(await links.tryCreate(images), 400, 'image_not_found', 'image_ids');
  });

  check('listLinks', 'X10.1 links are listed newest first', async (world) => {
    const { folder, links } = await album(world);
    const first = await links.create({ kind: 'view', folder_id: folder.id });
    const second = await links.create({ kind: 'request', folder_id: folder.id });
    const page = done(await links.call<Page<{ id: string }>>('GET'));
    assert.deepEqual(
      page.items.map(({ id }) => id),
      [second.id, first.id],
    );
    const query = { page_size: 0 };
    refused(await links.call('GET', '', { query }), 400, 'invalid_field', 'page_size');
  });

  check('updateLink', 'X10.4 a paused link is 410 until it is active again', async (world) => {
    const { folder, links } = await album(world);
    const { id, at } = await links.create({ kind: 'view', folder_id: folder.id });
    const visitor = new Visitor(world.client, at);
    assert.equal((await links.update(id, { state: 'paused' })).state, 'paused');
    assert.equal(await visitor.page(), 410);
    refused(await visitor.link(), 410, 'link_ended');
    await links.update(id, { state: 'active' });
    assert.equal(await visitor.page(), 200);
    refused(await links.call('GET', `/${nobody}`), 400, 'link_not_found');
    const past = { json: { expires_at: '20200101_000000' } };
    refused(await links.call('PUT', `/${id}`, past), 400, 'invalid_field', 'expires_at');
  });

  check('deleteLink', 'X10.4 an ended link is 410, one that never was 404', async (world) => {
    const { folder, links } = await album(world);
    const { id, at } = await links.create({ kind: 'view', folder_id: folder.id });
    await links.end(id);
    assert.equal(await new Visitor(world.client, at).page(), 410);
    assert.equal(await new Visitor(world.client, `/s/${'A'.repeat(22)}`).page(), 404);
    refused(await links.call('DELETE', `/${id}`), 400, 'link_not_found');
  });

  check('enterPassword', 'X10.2 nothing is told before the password was entered', async (world) => {
    const { folder, links } = await album(world);
    const { at } = await links.create({ kind: 'view', folder_id: folder.id, password: 'Kkachi' });
    const visitor = new Visitor(world.client, at);
    assert.deepEqual(done(await visitor.link()), { needs_password: true, link: null });
    refused(await visitor.images(), 403, 'password_required');
    refused(await visitor.enter('kkachi'), 403, 'password_required', 'password');
    refused(await visitor.call('POST', '/password'), 400, 'missing_field', 'password');
    done(await visitor.enter('Kkachi'));
    done(await visitor.images());
  });

  check('createLinkArchive', 'X12.3 visitors who may download get all as a ZIP', async (world) => {
    const { user, folder, links } = await album(world);
    const wanted = { kind: 'view', folder_id: folder.id, allow_download: true };
    const { at, id } = await links.create(wanted);
    const below = await user.folder('3동', folder);
    await user.upload({
      folder_id: below.id,
      original_name: 'one.jpg',
      address_road: 'Sangdo-ro 1',
    });
    await user.trash(await user.upload({ folder_id: folder.id }));
    const visitor = new Visitor(world.client, at);
    const { url, count, bytes } = done(await visitor.call<Archive>('POST', '/archive'));
    assert.equal(count, 1);
    const fetched = await fetch(url);
    const zip = Buffer.from(await fetched.arrayBuffer());
    assert.deepEqual([zip.length, fetched.headers.get('content-length')], [bytes, String(bytes)]);
    const files = unzip(zip);
    assert.deepEqual([...files.keys()].sort(), ['3동/one.jpg', 'images.csv']);
    const [head = '', line = ''] = String(files.get('images.csv')).split('\r\n');
    assert.equal(head, '\uFEFFfile,created_at,taken_at');
    assert.ok(line.startsWith('3동/one.jpg,'), line);
    await links.update(id, { allow_download: false });
    refused(await visitor.call('POST', '/archive'), 404, 'not_found');
    assert.equal((await fetch(url)).status, 404);
  });

  check('getLinkArchive', 'X12.3 its address is for one link, and ends with it', async (world) => {
    const { folder, links } = await album(world);
    const wanted = { kind: 'view', folder_id: folder.id, allow_download: true };
    const [one, other] = [await links.create(wanted), await links.create(wanted)];
    const { url } = done(await new Visitor(world.client, one.at).call<Archive>('POST', '/archive'));
    const { pathname, search } = new URL(url);
    assert.equal((await world.client.raw('GET', pathname + search)).status, 200);
    assert.equal((await fetch(url.replace(one.at, other.at))).status, 403);
    const visitor = new Visitor(world.client, one.at);
    refused(await visitor.call('GET', '/archive'), 400, 'missing_field', 'address');
    await links.update(one.id, { state: 'paused' });
    assert.equal((await fetch(url)).status, 410);
  });

  check('sendLinkImage', 'X10.3 whoever has the link may send pictures', async (world) => {
    const { user, folder, links } = await album(world);
    const { at } = await links.create({ kind: 'request', folder_id: folder.id });
    const visitor = new Visitor(world.client, at);
    const bytes = await jpeg({ width: 47, height: 31 });
    const { id } = done(await visitor.send(bytes));
    assert.deepEqual(done(await visitor.send(bytes)), { id });
    const [image, ...more] = (await user.list()).items;
    assert.deepEqual([image?.folder_id, more], [folder.id, []]);
    refused(await visitor.send(Buffer.from('no picture')), 400, 'unsupported_image');
    refused(await visitor.images(), 404, 'not_found');
    const asked = { query: { ids: `${id},${'0'.repeat(32)}` } };
    const arrived = await visitor.call<{ arrived: string[] }>('GET', '/arrived', asked);
    assert.deepEqual(done(arrived).arrived, [id]);
    refused(await visitor.call('GET', '/arrived'), 400, 'missing_field', 'ids');
  });

  check(
    'createLinkUpload',
    'X10.3 what is asked for may come in several requests',
    async (world) => {
      const { user, folder, links } = await album(world);
      const { at } = await links.create({ kind: 'request', folder_id: folder.id });
      const visitor = new Visitor(world.client, at);
      const tus = (method: string, path: string, more: Record<string, string> = {}) =>
        visitor.raw(method, `/uploads${path}`, { headers: { 'tus-resumable': '1.0.0', ...more } });
      const bytes = await jpeg({ width: 90, height: 60 });
      const length = { 'upload-length': String(bytes.length) };
      const begun = await tus('POST', '', length);
      assert.equal(begun.status, 201);
      const path = `/${begun.headers.get('location')?.split('/').at(-1)}`;
      for (const target of ['', path]) assert.equal((await tus('OPTIONS', target)).status, 204);
      const type = { 'content-type': 'application/offset+octet-stream' };
      assert.equal((await tus('PATCH', path, { 'upload-offset': '0', ...type })).status, 204);
      const sender = TusClient.ofLink(world.client.base, at);
      assert.equal((await sender.patch(path, 0, bytes.subarray(0, 500))).status, 204);
      assert.equal((await tus('HEAD', path)).headers.get('upload-offset'), '500');
      const last = await sender.patch(path, 500, bytes.subarray(500));
      assert.match(String(last.headers['upload-image-id']), /^[\da-f]{32}$/);
      assert.equal(done(await user.get<Page<unknown>>('/images')).total_count, 1);
      const other = `/${(await tus('POST', '', length)).headers.get('location')?.split('/').at(-1)}`;
      assert.equal((await tus('DELETE', other)).status, 204);
      assert.equal((await tus('HEAD', other)).status, 410);
      assert.equal((await tus('DELETE', `/${nobody}`)).status, 404);
    },
  );
});
