import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Findings } from './harness/findings.js';
import { Progress } from './harness/progress.js';
import { quickBombs } from './pictures/bombs.js';
import { longForm } from '../../testkit/long-form.js';
import { appliance } from '../../testkit/appliance.js';
import * as parts from './parts.js';
import type { FuzzRun } from './parts.js';

// The short form of "npm run fuzz": the same parts, a sample of each, and no timings.

/** The time limit of an image, a tenth of the usual one: expensive images end the same way. */
const flags = ['--imaging-timeout', '2s'];
const target = await appliance({ after }, { args: flags });
await target.restart(); // by `serve`, which nobody else starts again
const { pid } = target;
const seed = 1;
const size = {
  ...(longForm
    ? { requests: 150, mutations: 48, sample: 48, forgeries: 8 }
    : { requests: 50, mutations: 16, sample: 128, forgeries: 24 }),
  bombs: quickBombs,
  idleMs: 0,
};

const attacks: Record<string, (fuzzRun: FuzzRun) => Promise<string>> = {
  'random requests to every operation of the OpenAPI document': parts.fuzzRequests,
  'malformed HTTP messages': parts.fuzzWire,
  'multipart forms that are damaged': parts.fuzzForms,
  'images that are damaged': parts.fuzzPictures,
  'small images that are expensive to decode': parts.fuzzBombs,
  'expired, forged, and foreign tokens': parts.fuzzTokens,
};

describe('the service withstands', () => {
  for (const [what, fuzzRun] of Object.entries(attacks)) {
    test(what, async (t) => {
      const findings = new Findings();
      const progress = new Progress();
      t.diagnostic(await fuzzRun({ target, findings, progress, seed, ...size }));
      assert.ok(findings.all.length === 0, findings.toString());
    });
  }
});

test('after all attacks the same process still runs, and its statistics are correct', async () => {
  assert.equal(target.pid, pid);
  assert.equal(await target.end(), 0, target.log);
  const verified = await target.command(['verify', 'accounts', '--json']);
  assert.equal(verified.code, 0, verified.stdout);
});
