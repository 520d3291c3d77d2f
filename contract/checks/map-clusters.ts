import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { done, refused } from '../../testkit/expect.js';
import type { Member } from '../../testkit/world.js';
import { area } from '../harness.js';
import { countIn, everywhere, own, photographer } from './map-reads.js';
import type { Collection } from './map-reads.js';

async function clustersOf(user: Member, query: Record<string, string | number>) {
  const path = `/api/v1/users/${user.id}/map/clusters`;
  const response = await user.tenant.client.raw('GET', path, { as: own(user), query });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^application\/geo\+json/);
  return ((await response.json()) as Collection).features;
}

export const mapClusters = area('map clusters', (check) => {
  check('getMapClusters', 'X6.4 counts the images in the box', async (world) => {
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

  check('getMapClusters', 'X6.4 counts with filters agree with the list', async (world) => {
    const { user, images } = await photographer(world);
    const [first, second] = images;
    const folder = await user.folder('a');
    done(await user.put(`/images/${first?.id}`, { has_det: 'True', folder_id: folder.id }));
    done(await user.put(`/images/${second?.id}`, { has_det: 'False' }));
    for (const det of ['True', 'False', 'None']) {
      const listed = await user.list({ has_det: det });
      const found = countIn(await clustersOf(user, { ...everywhere, has_det: det }));
      assert.equal(found, listed.total_count, det);
    }
    const today = (images[0]?.created_at ?? '').slice(0, 8);
    const filters: readonly Record<string, string>[] = [
      { folder_id: folder.id },
      { folder_id: ' ' },
      { from_date: today },
      { to_date: '20000101' },
      { from_date: today, date_by: 'taken_at' },
    ];
    const counts = await Promise.all(
      filters.map(async (filter) => countIn(await clustersOf(user, { ...everywhere, ...filter }))),
    );
    assert.deepEqual(counts, [1, 4, 5, 0, 5]);
  });

  check('getMapClusters', 'X6.4 a folder that the user does not have is 400', async (world) => {
    const [user, other] = [await world.user(), await world.user()];
    for (const folder_id of ['no id', randomUUID(), (await other.folder('a')).id]) {
      const query = { ...everywhere, folder_id };
      for (const path of ['/map/clusters', '/map/0/0/0.mvt', '/map/tilejson']) {
        const answer = await user.call('GET', path, { query });
        refused(answer, 400, 'folder_not_found');
        assert.equal(answer.error?.field, 'folder_id');
      }
    }
  });

  for (const [name, value] of [
    ['bbox', '1,2,3'],
    ['bbox', '0,10,1,5'],
    ['bbox', '0,0,181,1'],
    ['zoom', '23'],
    ['zoom', 'x'],
    ['from_date', '20250231'],
    ['date_by', 'updated_at'],
    ['has_det', 'maybe'],
  ] as const) {
    check('getMapClusters', `X6.4 ${name}=${value} is rejected`, async (world) => {
      const user = await world.user();
      const query = { ...everywhere, [name]: value };
      refused(await user.get('/map/clusters', query), 400, 'invalid_field', name);
      const { tenant } = user;
      refused(await tenant.call('GET', '/map/clusters', { query }), 400, 'invalid_field', name);
    });
  }
});
