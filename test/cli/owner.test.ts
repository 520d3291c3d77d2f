import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../../src/base/os/run.js';
import { fails, imgstore, newPrivateHome, type Failure } from '../../testkit/command.js';
import { hosted } from '../../testkit/hosted-command.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { serve } from '../../testkit/appliance.js';
import { longOnly } from '../../testkit/long-form.js';

const notRoot = process.getuid?.() === 0 ? false : 'only root can act for others';
const skip = process.getuid?.() === 0 ? longOnly.skip : notRoot;
const stranger = 1; // "daemon", which every Linux has: initdb wants a user with a name

/** Owners of everything below a folder. */
async function ownersBelow(dir: string): Promise<Set<number>> {
  const names = await readdir(dir, { recursive: true });
  return new Set(await Promise.all(names.map(async (name) => (await lstat(join(dir, name))).uid)));
}

test("root serves another user's home as its owner, who can still use it", { skip }, async (t) => {
  const home = await newPrivateHome(t);
  await mkdir(home.dir, { recursive: true });
  await run('chown', ['-hR', `${stranger}:${stranger}`, home.dir]);
  const made = await imgstore(['init', '--yes', '--home', home.dir], { as: stranger });
  assert.equal(made.code, 0, made.stderr);
  const serving = await serve(t, home);
  const status = (await run('cat', [`/proc/${serving.pid}/status`])).stdout;
  assert.match(status, new RegExp(`^Uid:\\s+${stranger}\\s`, 'm'));
  const mine = await imgstore(['platform', 'create', '--name', 'x', '--home', home.dir]);
  assert.equal(mine.code, 0, mine.stderr);
  assert.equal(await serving.end(), 0);
  assert.deepEqual(await ownersBelow(home.dir), new Set([stranger]));
  const theirs = await imgstore(['platform', 'list', '--home', home.dir], { as: stranger });
  assert.match(theirs.stdout, / {2}x {2}0 users$/m);

  await run('chown', ['-hR', '0:0', home.dir]); // as in a copy made by root
  const lost = await imgstore(['serve', '--home', home.dir, '--json'], { as: stranger });
  const { exit_code, remedy } = lost.json<Failure>().error;
  assert.equal(exit_code, 78);
  assert.ok(remedy?.includes(`chown -R ${stranger}:${stranger} ${home.dir}`), remedy);
});

test('a user without an account and without HOME names the home', { skip: notRoot }, async (t) => {
  const nobody = { as: 64_321, env: { HOME: '', XDG_DATA_HOME: '' } };
  const lost = await imgstore(['status', '--json'], nobody);
  const { exit_code, setting, remedy } = lost.json<Failure>().error;
  assert.equal(exit_code, 78);
  assert.equal(setting, 'home');
  assert.match(String(remedy), /--home DIR/);
  const home = await newPrivateHome(t);
  const named = await imgstore(['status', '--home', home.dir, '--json'], nobody);
  assert.match(String(named.json<Failure>().error.remedy), /init --home/);
});

test('a master key that everybody can read is refused, with the chmod command that fixes it; so is a missing one', async (t) => {
  const { home } = await initializedHome(t);
  const key = join(home.secrets, 'master.key');
  for (const mode of [0o644, 0o602]) {
    await chmod(key, mode);
    const ran = await hosted(['keys', 'export', '--home', home.dir, '--json']);
    assert.equal(ran.code, 78);
    assert.ok(ran.json<Failure>().error.remedy?.startsWith(`chmod 600 ${key}`));
  }
  await chmod(key, 0o640);
  assert.equal((await hosted(['keys', 'export', '--home', home.dir])).code, 0);

  await rm(key);
  const lost = await hosted(['platform', 'create', '--name', 'x', '--home', home.dir, '--json']);
  await fails(lost, 78, { code: 'missing', about: key });
});
