import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { acquireLock } from '../../src/base/os/process-lock.js';
import type { Fault } from './fault.js';
import { faultsOfDatabases } from './faults-of-databases.js';
import { faultsOfHomes } from './faults-of-homes.js';
import { faultsOfServices } from './faults-of-services.js';
import { Patient, type CheckResult } from './patient.js';

const patient = await Patient.admit({ after });
const faults: readonly Fault[] = [...faultsOfHomes, ...faultsOfDatabases, ...faultsOfServices];

/** The level of each check, without messages, whose figures change by themselves. */
const levels = (results: readonly CheckResult[]): Record<string, string> =>
  Object.fromEntries(results.map(({ name, level }) => [name, level]));

/** The database server and the disk of a test may be volatile; that is no fault of a home. */
const ofTests = ['durability', 'file-system', 'time-sync'];

describe('doctor', () => {
  let healthy: readonly CheckResult[] = [];

  test('finds only problems that are expected in tests', async () => {
    healthy = await patient.examined([]);
    const found = healthy.filter(({ level }) => level !== 'ok' && level !== 'skipped');
    const others = found.map(({ name }) => name).filter((name) => !ofTests.includes(name));
    assert.deepEqual(others, ['service'], 'nobody has started one');
  });

  for (const fault of faults) {
    test(`reports ${fault.what}, with its remedy`, async () => {
      const { check, level, says, cure, given, inject, fixed } = fault;
      const injected = await inject?.(patient);
      const { undo, given: more } =
        typeof injected === 'object' ? injected : { undo: injected, given: undefined };
      try {
        const circumstances = more ?? given ?? {};
        const result = await patient.check(check, circumstances);
        assert.match(result.message, says);
        assert.equal(result.level, level, result.message);
        assert.match(result.remedy ?? '', cure);
        if (!fixed) return;
        assert.ok(result.fixable, check);
        const args = [...(circumstances.args ?? []), '--fix'];
        const cured = await patient.check(check, { ...circumstances, args });
        assert.match(cured.fixed ?? '', fixed);
        assert.equal(cured.level, 'ok', cured.message);
      } finally {
        await undo?.();
      }
    });
  }

  test('finds no more problems once all faults are undone', async () => {
    assert.deepEqual(levels(await patient.examined([])), levels(healthy));
  });

  test('does not report a service that is still starting', async () => {
    const lock = await acquireLock(patient.home.serveLock);
    try {
      const { level, message } = await patient.check('service');
      assert.deepEqual(
        [level, message],
        ['skipped', 'Skipped because the service is still starting.'],
      );
    } finally {
      await lock.release();
    }
  });

  test('skips checks that need a part that is down, and says so', async () => {
    const args = ['--database-url', 'postgresql://u:p@127.0.0.1:1/x'];
    const results = await patient.examined(['database', 'indexes', 'store', 'reclaim'], { args });
    assert.deepEqual(
      results.map(({ name, level }) => [name, level]),
      [
        ['database', 'problem'],
        ['indexes', 'skipped'],
        ['store', 'skipped'],
        ['reclaim', 'skipped'],
      ],
    );
    assert.match(results[1]?.message ?? '', /^Skipped because the database cannot be used\.$/);
  });
});
