import assert from 'node:assert/strict';
import { done, nobody, refused } from '../../testkit/expect.js';
import type { Member, World } from '../../testkit/world.js';
import { tileFeatures } from '../../testkit/vector-tile.js';
import { area } from '../harness.js';
import type { Image } from '../../testkit/records.js';
import { at, spread } from './map.js';
import type { Place } from './map.js';

export const seoul: Place = [37.5663, 126.9779];
export const places: readonly Place[] = [seoul, seoul, [37.57, 126.98], [-17, 180], [90, 10]];
export const everywhere = { bbox: '-180,-90,180,90', zoom: 0 };

export type Credential = readonly ['User' | 'Platform', string];

/** A read of the map of a user. @param path below the map. */
export const read = (user: Member, path: string, as: Credential | undefined, headers = {}) =>
  user.tenant.client.raw('GET', `/api/v1/users/${user.id}/map${path}`, { as, headers });

export const own = (user: Member): Credential => ['User', user.token];

export async function featuresOf(response: Response) {
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/vnd.mapbox-vector-tile');
  return tileFeatures(Buffer.from(await response.arrayBuffer()));
}

/** The version of a user's map. */
async function tagOf(user: Member): Promise<string> {
  const response = await read(user, '/0/0/0.mvt', own(user));
  await response.arrayBuffer();
  return response.headers.get('etag') ?? '';
}

/** The address of a tile as a map library makes it. */
export async function addressOf(user: Member, owner = `users/${user.id}`): Promise<string> {
  const as: Credential = owner.startsWith('users') ? own(user) : ['Platform', user.tenant.token];
  const response = await user.tenant.client.raw('GET', `/api/v1/${owner}/map/tilejson`, { as });
  const json = (await response.json()) as { tilejson: string; tiles: string[] };
  assert.equal(json.tilejson, '3.0.0');
  return (json.tiles[0] ?? '').replaceAll(/\{[zxy]\}/g, '0');
}

export interface Collection {
  readonly type: string;
  readonly features: readonly {
    readonly geometry: { readonly coordinates: readonly [number, number] };
    readonly properties: { readonly count: number; readonly image_id: string };
  }[];
}

async function clustersOf(user: Member, query: Record<string, string | number>) {
  const path = `/api/v1/users/${user.id}/map/clusters`;
  const response = await user.tenant.client.raw('GET', path, { as: own(user), query });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^application\/geo\+json/);
  return ((await response.json()) as Collection).features;
}

export const countIn = (features: Collection['features']): number =>
  features.reduce((sum, { properties }) => sum + properties.count, 0);

/** A user with an image at each of some places. */
export async function photographer(world: World): Promise<{ user: Member; images: Image[] }> {
  const user = await (await world.platform()).user();
  return { user, images: await spread(user, places) };
}

export const mapTiles = area('map tiles', (check) => {
  check('getMapTile', 'X6 clusters add up; the newest image of each', async (world) => {
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
    'X6 single images further in, and 204 where there are none',
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

  check('getMapTile', 'X6 the ETag follows what the map shows, and 304', async (world) => {
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
  });

  check('getMapTile', 'X6 the ETag is another one with each filter', async (world) => {
    const { user, images } = await photographer(world);
    const today = (images[0]?.created_at ?? '').slice(0, 8);
    const filters: readonly Record<string, string>[] = [
      ...[{}, { has_det: 'True' }, { has_det: 'False' }, { has_det: 'None' }],
      ...[{ folder_id: ' ' }, { folder_id: nobody }, { from_date: today }, { to_date: today }],
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
    check('getMapTile', `X6 ${path} is no tile`, async (world) => {
      const user = await world.user();
      refused(await user.get(`/map${path}.mvt`), 400, 'invalid_field');
      const tenant = await world.platform();
      refused(await tenant.call('GET', `/map${path}.mvt`), 400, 'invalid_field');
    });
  }

  check('getMapTileJson', 'X6 has an address that works without a header', async (world) => {
    const { user } = await photographer(world);
    const address = await addressOf(user);
    assert.equal(await addressOf(user), address);
    assert.ok((await featuresOf(await fetch(address))).length > 0);
    assert.equal((await fetch(address.replace('/0/0/0', '/1/1/0'))).status, 200);
    assert.equal((await fetch(`${address}&has_det=True`)).status, 204);
    const bare = await fetch(address.replace(/\?.*/, ''));
    assert.equal(bare.status, 401);
    for (const other of [
      address.replace(/sig=./, (sig) => `sig=${sig.endsWith('A') ? 'B' : 'A'}`),
      address.replace(/exp=\d/, 'exp=9'),
      address.replace(user.id, nobody),
      address.replace(`users/${user.id}`, `platforms/${user.tenant.id}`),
      address.replace('/0/0/0.mvt', '/clusters'),
    ]) {
      assert.ok([401, 403].includes((await fetch(other)).status), other);
    }
    assert.equal((await fetch(address.replace(user.id, nobody))).status, 403);
  });

  check('getMapClusters', 'X6 count what lies in the box', async (world) => {
    const { user } = await photographer(world);
    for (const [bbox, count] of [
      ['-180,-90,180,90', 5],
      ['126,37,128,38', 3],
      ['126.9779,37.5663,126.9779,37.5663', 2],
      ['179,-18,-179,-16', 1],
      ['170,-18,180,-16', 1],
      ['-180,-18,-170,-16', 1],
      ['0,85.5,20,90', 1],
      ['10,10,20,20', 0],
    ] as const) {
      for (const zoom of [0, 11, 22]) {
        assert.equal(countIn(await clustersOf(user, { bbox, zoom })), count, `${bbox} ${zoom}`);
      }
    }
    const [alone] = await clustersOf(user, { bbox: '126.979,37.569,127,37.58', zoom: 22 });
    const [longitude = 0, latitude = 0] = alone?.geometry.coordinates ?? [];
    assert.ok(Math.abs(longitude - 126.98) < 1e-5 && Math.abs(latitude - 37.57) < 1e-5);
  });

  check('getMapClusters', 'X6 filters leave what the list counts', async (world) => {
    const { user, images } = await photographer(world);
    const [first, second] = images;
    const folder = await user.folder('a');
    done(await user.put(`/images/${first?.id}`, { has_det: 'True', folder_id: folder.id }));
    done(await user.put(`/images/${second?.id}`, { has_det: 'False' }));
    for (const det of ['True', 'False', 'None']) {
      const listed = await user.images({ has_det: det });
      const found = countIn(await clustersOf(user, { ...everywhere, has_det: det }));
      assert.equal(found, listed.total_count, det);
    }
    const today = (images[0]?.created_at ?? '').slice(0, 8);
    const filters: readonly Record<string, string>[] = [
      ...[{ folder_id: folder.id }, { folder_id: ' ' }],
      ...[{ from_date: today }, { to_date: '20000101' }],
    ];
    const counts = await Promise.all(
      filters.map(async (filter) => countIn(await clustersOf(user, { ...everywhere, ...filter }))),
    );
    assert.deepEqual(counts, [1, 4, 5, 0]);
    const nowhere = await clustersOf(user, { ...everywhere, folder_id: 'no id' });
    assert.deepEqual(nowhere, []);
  });

  for (const [name, value] of [
    ['bbox', '1,2,3'],
    ['bbox', '0,10,1,5'],
    ['bbox', '0,0,181,1'],
    ['zoom', '23'],
    ['zoom', 'x'],
    ['from_date', '20250231'],
    ['has_det', 'maybe'],
  ] as const) {
    check('getMapClusters', `X6 ${name}=${value} is rejected`, async (world) => {
      const user = await world.user();
      const query = { ...everywhere, [name]: value };
      refused(await user.get('/map/clusters', query), 400, 'invalid_field', name);
      const { tenant } = user;
      refused(await tenant.call('GET', '/map/clusters', { query }), 400, 'invalid_field', name);
    });
  }
});
