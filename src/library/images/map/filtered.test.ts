import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rows } from '../../../database/sql.js';
import { areaOfBox } from './clusters.sql.js';
import type { MapFilter } from './schemas.js';
import { selectFilteredClusters } from './filtered.sql.js';
import { insertUser } from '../../../../testkit/insert-user.js';
import { anyImage, countOf, onMap, shownBy } from '../../../../testkit/map-contents.js';
import { migratedSource } from '../../../../testkit/migrated-source.js';
import { insertPlaced } from '../../../../testkit/placed-images.js';

const db = await migratedSource({ after });

test('filtered tiles agree with counts by the same conditions', async () => {
  const owner = await insertUser(db);
  const user = { kind: 'users', id: owner.userId } as const;
  const ids = await insertPlaced(db, owner, Array.from({ length: 900 }, anyImage));
  const folder = crypto.randomUUID();
  await rows(db, `INSERT INTO folders (id, user_id, title) VALUES ($1, $2, 'a')`, [
    folder,
    owner.userId,
  ]);
  await rows(db, 'UPDATE images SET folder_id = $2 WHERE id = ANY ($1)', [ids.slice(200), folder]);
  await rows(db, 'UPDATE images SET has_det = true WHERE id = ANY ($1)', [ids.slice(400)]);
  await rows(db, 'UPDATE images SET has_det = false WHERE id = ANY ($1)', [ids.slice(600)]);
  const from = new Date('2025-01-03T00:00:00Z');
  const to = new Date('2025-01-07T00:00:00Z');
  const period = `created_at >= '${from.toISOString()}' AND created_at < '${to.toISOString()}'`;
  const since = `coalesce(taken_at, created_at) >= '${from.toISOString()}'`;
  const taken = `${since} AND coalesce(taken_at, created_at) < '${to.toISOString()}'`;
  const filters: readonly [MapFilter, string][] = [
    [{ det: true }, 'has_det'],
    [{ det: false, folderId: folder }, `NOT has_det AND folder_id = '${folder}'`],
    [{ det: null }, 'has_det IS NULL'],
    [{ folderId: null }, 'folder_id IS NULL'],
    [{ from, to }, period],
    [{ from, to, time: 'taken_at' }, taken],
    [
      { from, time: 'taken_at', det: true, folderId: folder },
      `${since} AND has_det AND folder_id = '${folder}'`,
    ],
    [
      { from, to, det: true, folderId: folder },
      `${period} AND has_det AND folder_id = '${folder}'`,
    ],
    [{ folderId: crypto.randomUUID() }, 'false'],
  ];
  for (const [filter, condition] of filters) {
    const expected = await countOf(db, `${onMap(user)} AND ${condition}`);
    for (const z of [0, 6, 13, 14, 19]) {
      assert.equal((await shownBy(db, user, z, filter)).count, expected, `${condition}, zoom ${z}`);
    }
  }
});

test('above the limit of images, a filter counts only the newest and says so', async () => {
  const owner = await insertUser(db);
  const user = { kind: 'users', id: owner.userId } as const;
  const images = Array.from({ length: 10_010 }, (_, n) => ({
    latitude: 37 + (n % 20) / 100,
    longitude: 127,
    createdAt: `2025-01-0${n < 9 ? 1 : 2}Z`,
    takenAt: `2025-02-0${n < 10 ? 1 : 2}Z`,
  }));
  await insertPlaced(db, owner, images);
  const world = areaOfBox({ west: -180, south: -90, east: 180, north: 90 });
  for (const [filter, count, isExact] of [
    [{ det: null }, 10_000, false],
    [{ det: null, from: new Date('2025-01-02T00:00:00Z') }, 10_000, false],
    [{ det: null, to: new Date('2025-01-02T00:00:00Z') }, 9, true],
    [{ det: null, time: 'taken_at', from: new Date('2025-02-02T00:00:00Z') }, 10_000, true],
    [{ det: null, time: 'taken_at', to: new Date('2025-02-02T00:00:00Z') }, 10, true],
    [{ det: null, time: 'taken_at', to: new Date('2025-02-03T00:00:00Z') }, 10_000, false],
    [{ det: true }, 0, true],
  ] as const) {
    const shown = await shownBy(db, user, 3, filter);
    assert.deepEqual([shown.count, shown.isExact], [count, isExact], JSON.stringify(filter));
    const clusters = await selectFilteredClusters(db, user, world, 3, filter);
    const sum = clusters.reduce((all, cluster) => all + cluster.count, 0);
    const complete = clusters.every(({ is_complete }) => is_complete);
    assert.deepEqual([sum, complete], [count, isExact], JSON.stringify(filter));
  }
});
