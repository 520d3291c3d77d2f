import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soakSets } from '../../bench/sync/sets.js';
import { testService } from '../../testkit/service.js';
import { World } from '../../testkit/world.js';

const service = await testService();
const moments = 10;

// `npm run soak -- --sync` runs this for longer.
test('over breaking connections, no set is complete too early, and none gets stuck', async () => {
  const { findings, cuts, compared } = await soakSets({
    world: new World(service.client, await service.adminToken()),
    sets: 5,
    filesPerSet: 8,
    moments,
  });
  assert.deepEqual(findings, []);
  assert.ok(cuts > 2, `only ${cuts} broke`);
  assert.equal(compared, moments);
});
