import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soak } from '../../bench/soak/soak.js';
import { verifyStatistics } from '../../src/ops/verify/verify.js';
import { longOnly } from '../../testkit/long-form.js';
import { ownService } from '../../testkit/service.js';

test(
  'concurrent users see only their own data, and the accounting is correct afterward',
  longOnly,
  async (t) => {
    const service = await ownService(t);
    const { findings, tally, images } = await soak({
      base: service.client.base,
      adminToken: await service.adminToken(),
      users: 6,
      shouldContinue: (steps) => steps < 60,
    });
    assert.deepEqual(findings, []);
    assert.equal(tally.failures, 0);
    assert.ok(images > 0);
    const { db } = service;
    const { store } = service.service;
    const { ok, differences } = await verifyStatistics({ db, store, report: () => undefined });
    assert.ok(ok, JSON.stringify(differences));
  },
);
