import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { run } from '../../src/base/os/run.js';
import { program } from '../../testkit/command.js';
import type { Scope } from '../../testkit/scope.js';
import { needs, programs } from '../../testkit/programs.js';

const services = ['imgstore.service', 'imgstore@.service'];

/**
 * The maximum exposure of the units, in tenths, as systemd-analyze computes it: 0.9 is for the
 * namespaces of each type that bubblewrap needs to confine the imaging processes, and it also needs
 * mounts and netlink (docs/adr/0008).
 */
const threshold = 24;

/** The units in a temporary directory, for machines without the program at its installed path. */
async function units(scope: Scope): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'imgstore-units-'));
  scope.after(() => rm(dir, { recursive: true, force: true }));
  await cp('systemd', dir, { recursive: true });
  for (const name of services) {
    const text = await readFile(join(dir, name), 'utf8');
    await writeFile(join(dir, name), text.replaceAll('/usr/bin/imgstore', program));
  }
  return dir;
}

describe('the systemd units', await needs(programs.systemd), () => {
  test('contain only what systemd understands', async (t) => {
    const dir = await units(t);
    for (const name of [...services, 'imgstore.slice']) {
      const { code, output } = await run('systemd-analyze', [
        'verify',
        '--man=no',
        join(dir, name),
      ]);
      assert.equal(output, '', name);
      assert.equal(code, 0, name);
    }
  });

  test(`have an exposure of at most ${threshold / 10} of 10`, async (t) => {
    const dir = await units(t);
    for (const name of services) {
      const { code, output } = await run('systemd-analyze', [
        'security',
        '--offline=true',
        `--threshold=${threshold}`,
        join(dir, name),
      ]);
      assert.equal(code, 0, output);
    }
  });

  test('restart the service unless its configuration is invalid', async () => {
    for (const name of services) {
      const text = await readFile(join('systemd', name), 'utf8');
      assert.match(text, /^Restart=on-failure$/m);
      assert.match(text, /^RestartPreventExitStatus=2 78$/m, 'and so after a 69');
    }
  });

  test('allow more time to stop than the service itself needs', async () => {
    const node = 2 + 30 + 30 + 30; // clients notice, requests, what they left, pictures
    for (const [name, needed] of [
      ['imgstore@.service', node],
      ['imgstore.service', node + 60], // PostgreSQL
    ] as const) {
      const text = await readFile(join('systemd', name), 'utf8');
      const seconds = Number(/^TimeoutStopSec=(\d+)s$/m.exec(text)?.[1]);
      assert.ok(seconds > needed, name);
    }
  });
});
