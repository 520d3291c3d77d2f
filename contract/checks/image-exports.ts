import assert from 'node:assert/strict';
import { refused } from '../../testkit/expect.js';
import type { Image } from '../../testkit/records.js';
import { area } from '../harness.js';
import { own, photographer } from './map-reads.js';

export const imageExports = area('exports of lists', (check) => {
  check('exportImages', 'X6.5 has the records of the list, newest first', async (world) => {
    const { user, images } = await photographer(world);
    const building = '한옥 "1", \\ ✔';
    await user.upload({ building_name: building });
    const exported = async (query: Record<string, string>): Promise<string> => {
      const path = `/api/v1/users/${user.id}/images/export`;
      const answer = await user.tenant.client.raw('GET', path, { as: own(user), query });
      assert.equal(answer.status, 200);
      return answer.text();
    };
    const listed = (await user.list()).items.map(({ id }) => id);
    const lines = (await exported({ format: 'ndjson' })).trimEnd().split('\n');
    const records = lines.map((line) => JSON.parse(line) as Image);
    assert.deepEqual(
      records.map(({ id }) => id),
      listed,
    );
    const ofLists = Object.keys(images[0] ?? {}).filter((name) => name !== 'full_url');
    assert.deepEqual(Object.keys(records[0] ?? {}), ofLists);
    assert.equal(records[0]?.building_name, building);
    const csv = (await exported({ format: 'csv' })).trimEnd().split('\r\n');
    assert.equal(csv[0]?.replace('\uFEFF', ''), Object.keys(records[0] ?? {}).join(','));
    assert.deepEqual(
      csv.slice(1).map((line) => line.split(',')[0]?.replaceAll('"', '')),
      listed,
    );
    assert.ok(csv[1]?.includes(`"${building.replaceAll('"', '""')}"`));
    const json = JSON.parse(await exported({ format: 'geojson', bbox: '126,37,128,38' })) as {
      features: { geometry: { coordinates: number[] }; properties: Image }[];
    };
    assert.deepEqual(
      json.features.map(({ properties }) => properties.id),
      listed.filter((id) => images.slice(0, 3).some((image) => image.id === id)),
    );
    for (const { geometry, properties } of json.features) {
      assert.deepEqual(geometry.coordinates, [properties.lng, properties.lat]);
    }
    assert.equal(await exported({ format: 'ndjson', has_det: 'True' }), '');
    const byTaken = { format: 'ndjson', date_by: 'taken_at' };
    assert.equal((await exported(byTaken)).trimEnd().split('\n').length, listed.length);
    assert.equal(await exported({ ...byTaken, date: '20000101' }), '');
    refused(await user.get('/images/export', { format: 'xml' }), 400, 'invalid_field', 'format');
    refused(await user.get('/images/export'), 400, ['missing_field', 'invalid_field'], 'format');
  });
});
