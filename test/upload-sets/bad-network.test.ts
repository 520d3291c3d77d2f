import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soakSets } from '../../bench/sync/sets.js';
import { sharedService } from '../../testkit/shared-service.js';

const service = await sharedService();

// `npm run soak:sync` is the long form.
test('over connections that break, no set is complete too early, and none is stuck', async () => {
  const { findings, cuts, compared } = await soakSets({
    base: service.client.base,
    adminToken: await service.adminToken(),
    sets: 8,
    filesPerSet: 10,
    moments: 20,
  });
  assert.deepEqual(findings, []);
  assert.ok(cuts > 5, `only ${cuts} broke`);
  assert.equal(compared, 20);
});
