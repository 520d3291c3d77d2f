import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { acquireLock } from '../../src/os/process-lock.js';
import type { Fault } from './fault.js';
import { faultsOfDatabases } from './faults-of-databases.js';
import { faultsOfHomes } from './faults-of-homes.js';
import { faultsOfServices } from './faults-of-services.js';
import { Patient, type Told } from './patient.js';

const patient = await Patient.admit({ after });
const faults: readonly Fault[] = [...faultsOfHomes, ...faultsOfDatabases, ...faultsOfServices];

/** What is said of each check, without figures that change by themselves. */
const levels = (told: readonly Told[]): Record<string, string> =>
  Object.fromEntries(told.map(({ name, level }) => [name, level]));

/** The database server and the disk of a test may lose everything: no fault of a home. */
const ofTests = ['durability', 'file-system', 'time-sync'];

describe('doctor', () => {
  let healthy: readonly Told[] = [];

  test('finds nothing but what tests do without', async () => {
    healthy = await patient.examined([]);
    const found = healthy.filter(({ level }) => level !== 'ok' && level !== 'skipped');
    const others = found.map(({ name }) => name).filter((name) => !ofTests.includes(name));
    assert.deepEqual(others, ['service'], 'nobody has started one');
  });

  for (const fault of faults) {
    test(`names ${fault.what}, and its cure`, async () => {
      const { check, level, says, cure, given, inject, fixed } = fault;
      const injected = await inject?.(patient);
      const { undo, given: more } =
        typeof injected === 'object' ? injected : { undo: injected, given: undefined };
      try {
        const circumstances = more ?? given ?? {};
        const told = await patient.told(check, circumstances);
        assert.match(told.message, says);
        assert.equal(told.level, level, told.message);
        assert.match(told.remedy ?? '', cure);
        if (!fixed) return;
        assert.ok(told.fixable, check);
        const args = [...(circumstances.args ?? []), '--fix'];
        const cured = await patient.told(check, { ...circumstances, args });
        assert.match(cured.fixed ?? '', fixed);
        assert.equal(cured.level, 'ok', cured.message);
      } finally {
        await undo?.();
      }
    });
  }

  test('finds nothing more once all are undone', async () => {
    assert.deepEqual(levels(await patient.examined([])), levels(healthy));
  });

  test('takes a service that is still starting for no fault', async () => {
    const lock = await acquireLock(patient.home.serveLock);
    try {
      const { level, message } = await patient.told('service');
      assert.deepEqual(
        [level, message],
        ['skipped', 'Skipped because the service is still starting.'],
      );
    } finally {
      await lock.release();
    }
  });

  test('skips what needs a part that is down, and says so', async () => {
    const args = ['--database-url', 'postgresql://u:p@127.0.0.1:1/x'];
    const told = await patient.examined(['database', 'indexes', 'store', 'reclaim'], { args });
    assert.deepEqual(
      told.map(({ name, level }) => [name, level]),
      [
        ['database', 'problem'],
        ['indexes', 'skipped'],
        ['store', 'skipped'],
        ['reclaim', 'skipped'],
      ],
    );
    assert.match(told[1]?.message ?? '', /^Skipped because the database cannot be used\.$/);
  });
});
