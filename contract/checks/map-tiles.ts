import assert from 'node:assert/strict';
import { done, nobody, refused } from '../../testkit/expect.js';
import type { Image } from '../../testkit/records.js';
import type { Member } from '../../testkit/world.js';
import { area } from '../harness.js';
import { at } from './map.js';
import { tileUrlOf, featuresOf, own, photographer, places, read } from './map-reads.js';

/** The version of a user's map. */
async function tagOf(user: Member): Promise<string> {
  const response = await read(user, '/0/0/0.mvt', own(user));
  await response.arrayBuffer();
  return response.headers.get('etag') ?? '';
}

export const mapTiles = area('map tiles', (check) => {
  check('getMapTileJson', 'X8.2 a filter reaches the tiles', async (world) => {
    const { user } = await photographer(world);
    const filter = '?date_by=taken_at&from_date=20990101&folder_id=+&has_det=None&to_date=none';
    const url = new URL(await tileUrlOf(user, undefined, filter));
    const { exp, sig, ...given } = Object.fromEntries(url.searchParams);
    assert.ok(exp && sig);
    const expected = {
      from_date: '20990101',
      date_by: 'taken_at',
      folder_id: ' ',
      has_det: 'None',
    };
    assert.deepEqual(given, expected);
    assert.equal((await fetch(url)).status, 204);
    url.searchParams.delete('from_date');
    url.searchParams.delete('date_by');
    assert.equal((await fetch(url)).status, 200);
    const wrong = await user.get('/map/tilejson?from_date=20250231');
    refused(wrong, 400, 'invalid_field', 'from_date');
    const twice = await user.get('/map/tilejson?camera=a&camera=b');
    assert.equal(twice.error?.message, 'camera must be given only once.');
  });

  check('getMapTile', 'X6.2 clusters add up; the newest image of each', async (world) => {
    const { user, images } = await photographer(world);
    await user.upload();
    const features = await featuresOf(await read(user, '/0/0/0.mvt', own(user)));
    assert.ok(features.every(({ layer }) => layer === 'clusters'));
    assert.equal(
      features.reduce((sum, { properties }) => sum + Number(properties.count), 0),
      places.length,
    );
    const newest = images.find(({ id }) => features.some((f) => f.properties.image_id === id));
    const date = Number(newest?.created_at.slice(0, 8));
    assert.ok(features.some(({ properties }) => properties.latest_created_at === date));
  });

  check(
    'getMapTile',
    'X6.1 single images at higher zooms, and 204 for empty tiles',
    async (world) => {
      const { user, images } = await photographer(world);
      const folder = await user.folder('a');
      const [first] = images;
      const form = { folder_id: folder.id, has_det: 'True' };
      const moved = done(await user.put<Image>(`/images/${first?.id}`, form));
      const tile = '/14/13970/6344.mvt';
      const features = await featuresOf(await read(user, tile, own(user)));
      const found = features.find(({ properties }) => properties.image_id === moved.id);
      assert.deepEqual(found?.properties, {
        image_id: moved.id,
        folder_id: folder.id,
        created_at: moved.created_at,
        has_det: true,
      });
      assert.equal(found.layer, 'images');
      const empty = await read(user, '/14/0/8000.mvt', own(user));
      assert.deepEqual([empty.status, await empty.text()], [204, '']);
    },
  );

  check(
    'getMapTile',
    'X6.6 the ETag changes with what the map shows; 304 while it does not',
    async (world) => {
      const { user, images } = await photographer(world);
      const [image] = images;
      assert.ok(image);
      const tag = await tagOf(user);
      const known = await read(user, '/3/6/3.mvt', own(user), { 'if-none-match': tag });
      assert.deepEqual([known.status, await known.text()], [304, '']);
      done(await user.put(`/images/${image.id}`, { is_signed: 'True' }));
      await user.upload();
      await user.edit(image);
      assert.equal(await tagOf(user), tag);
      let last = tag;
      const folder = await user.folder('a');
      for (const form of [
        { has_det: 'False' },
        { folder_id: folder.id },
        at([1, 2]),
        { delete: 'True' },
        { delete: 'False' },
      ]) {
        done(await user.put(`/images/${image.id}`, form as Record<string, string>));
        const next = await tagOf(user);
        assert.notEqual(next, last, JSON.stringify(form));
        last = next;
      }
      const stale = await read(user, '/3/6/3.mvt', own(user), { 'if-none-match': tag });
      assert.equal(stale.status, 200);
      await stale.arrayBuffer();
    },
  );

  check('getMapTile', 'X6.6 each filter has its own ETag', async (world) => {
    const { user, images } = await photographer(world);
    const today = (images[0]?.created_at ?? '').slice(0, 8);
    const filters: readonly Record<string, string>[] = [
      {},
      { has_det: 'True' },
      { has_det: 'False' },
      { has_det: 'None' },
      { folder_id: ' ' },
      { folder_id: (await user.folder('empty')).id },
      { from_date: today },
      { to_date: today },
      { from_date: today, has_det: 'None' },
    ];
    const tags: string[] = [];
    for (const filter of filters) {
      const path = `/0/0/0.mvt?${new URLSearchParams(filter).toString()}`;
      const before = await read(user, path, own(user), { 'if-none-match': tags.join(', ') });
      assert.notEqual(before.status, 304, path);
      await before.arrayBuffer();
      const tag = before.headers.get('etag') ?? '';
      const known = await read(user, path, own(user), { 'if-none-match': tag });
      assert.deepEqual([known.status, await known.text()], [304, ''], path);
      tags.push(tag);
    }
    done(await user.put(`/images/${images[0]?.id}`, { has_det: 'True' }));
    const path = '/0/0/0.mvt?has_det=True';
    const stale = await read(user, path, own(user), { 'if-none-match': tags.join(', ') });
    assert.equal((await featuresOf(stale)).length, 1);
  });

  for (const path of ['/23/0/0', '/0/1/0', '/1/0/2', '/-1/0/0', '/a/0/0', '/1/0.5/0']) {
    check('getMapTile', `X6.1 ${path} is no tile`, async (world) => {
      const user = await world.user();
      refused(await user.get(`/map${path}.mvt`), 400, 'invalid_field');
      const tenant = await world.platform();
      refused(await tenant.call('GET', `/map${path}.mvt`), 400, 'invalid_field');
    });
  }

  check('getMapTileJson', 'X6.3 has a tile URL that works without a header', async (world) => {
    const { user } = await photographer(world);
    const url = await tileUrlOf(user);
    assert.equal(await tileUrlOf(user), url);
    assert.ok((await featuresOf(await fetch(url))).length > 0);
    assert.equal((await fetch(url.replace('/0/0/0', '/1/1/0'))).status, 200);
    assert.equal((await fetch(`${url}&has_det=True`)).status, 204);
    const bare = await fetch(url.replace(/\?.*/, ''));
    assert.equal(bare.status, 401);
    for (const other of [
      url.replace(/sig=./, (sig) => `sig=${sig.endsWith('A') ? 'B' : 'A'}`),
      url.replace(/exp=\d/, 'exp=9'),
      url.replace(user.id, nobody),
      url.replace(`users/${user.id}`, `platforms/${user.tenant.id}`),
      url.replace('/0/0/0.mvt', '/clusters'),
    ]) {
      assert.ok([401, 403].includes((await fetch(other)).status), other);
    }
    assert.equal((await fetch(url.replace(user.id, nobody))).status, 403);
  });
});
