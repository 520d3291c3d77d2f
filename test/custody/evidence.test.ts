import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryToDelete } from '../../bench/evidence/held.js';
import { useHonestly } from '../../bench/evidence/honest.js';
import { tamper } from '../../bench/evidence/tampering.js';
import { longForm } from '../../testkit/long-form.js';

// `npm run attacks -- --evidence`, in small.

const report = (): void => undefined;

test('a verifier of others names every change of an attacker with all rights', async (t) => {
  const count = longForm ? 100 : 20;
  const { changes, named, problems } = await tamper(t, count, report);
  assert.deepEqual(problems, []);
  assert.deepEqual([changes, named], [count, count]);
});

test('and nothing that honest users do while the service is killed', async (t) => {
  const much = longForm ? { operations: 4_000, rounds: 4 } : { operations: 400, rounds: 2 };
  const used = await useHonestly(t, much, report);
  assert.deepEqual(used.alarms, []);
  assert.ok(used.operations >= much.operations);
  assert.equal(used.kills, much.rounds);
});

test('nothing that is held is deleted, by whomever, and all of it once it is released', async (t) => {
  const attempts = longForm ? 1_000 : 200;
  const { gone, left, kills } = await tryToDelete(t, attempts, report);
  assert.deepEqual({ gone, left }, { gone: [], left: [] });
  assert.ok(kills >= 2);
});
