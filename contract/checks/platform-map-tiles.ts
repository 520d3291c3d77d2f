import assert from 'node:assert/strict';
import { area } from '../harness.js';
import { spread } from './map.js';
import {
  tileUrlOf,
  countIn,
  everywhere,
  featuresOf,
  photographer,
  places,
  read,
  seoul,
} from './map-reads.js';
import type { Collection, Credential } from './map-reads.js';

export const platformMapTiles = area('map tiles of platforms', (check) => {
  check(
    'getPlatformMapTile',
    'X6.2 adds up the images of all users of the platform',
    async (world) => {
      const { user } = await photographer(world);
      const other = await user.tenant.user();
      await spread(other, [seoul, [48, 2]]);
      const as: Credential = ['Platform', user.tenant.token];
      const tile = await user.tenant.client.raw(
        'GET',
        `/api/v1/platforms/${user.tenant.id}/map/0/0/0.mvt`,
        { as },
      );
      const features = await featuresOf(tile);
      const sum = features.reduce((all, { properties }) => all + Number(properties.count), 0);
      assert.equal(sum, places.length + 2);
      assert.ok(features.some(({ properties }) => properties.user_id === other.id));
      const signed = await fetch(await tileUrlOf(user, `platforms/${user.tenant.id}`));
      assert.equal((await featuresOf(signed)).length, features.length);
      const path = `/api/v1/platforms/${user.tenant.id}/map/clusters`;
      const found = await user.tenant.client.raw('GET', path, { as, query: everywhere });
      assert.equal(countIn(((await found.json()) as Collection).features), sum);
      assert.equal((await read(user, '/0/0/0.mvt', as)).status, 200);
      assert.equal((await read(user, '/clusters?bbox=0,0,1,1&zoom=3', as)).status, 200);
      const tag = tile.headers.get('etag') ?? '';
      const headers = { 'if-none-match': tag };
      const url = `/api/v1/platforms/${user.tenant.id}/map/1/1/0.mvt`;
      const statuses = [(await user.tenant.client.raw('GET', url, { as, headers })).status];
      await spread(other, [seoul]);
      statuses.push((await user.tenant.client.raw('GET', url, { as, headers })).status);
      assert.deepEqual(statuses, [304, 200]);
    },
  );
});
