import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Findings } from './harness/findings.js';
import { Progress } from './harness/progress.js';
import { Target } from '../../testkit/target.js';
import * as parts from './parts.js';
import type { FuzzRun } from './parts.js';

// The short form of "npm run fuzz": the same parts, a sample of each.

const target = await Target.start({ after });
const { pid } = target;
const seed = 1;

const hunts: Record<string, (fuzzRun: FuzzRun) => Promise<string>> = {
  'requests generated from the served document': parts.fuzzRequests,
  'raw HTTP': parts.fuzzWire,
  'multipart forms mutated at every point': parts.fuzzForms,
  'images mutated at some points': parts.fuzzPictures,
  'small files that are expensive to decode': parts.fuzzBombs,
  'every kind of wrong token': parts.fuzzTokens,
};

describe('nothing is found by', () => {
  for (const [what, fuzzRun] of Object.entries(hunts)) {
    test(what, async (t) => {
      const findings = new Findings();
      const progress = new Progress();
      const size = { requests: 400, mutations: 200, sample: 12, idleMs: 1_000 };
      t.diagnostic(await fuzzRun({ target, findings, progress, seed, ...size }));
      assert.ok(findings.all.length === 0, findings.toString());
    });
  }

  test('any of them in the books, and the process is the one that was started', async () => {
    assert.equal(target.pid, pid);
    assert.equal(await target.end(), 0, target.log);
    const verified = await target.command(['stats', 'verify', '--json']);
    assert.equal(verified.code, 0, verified.stdout);
  });
});
