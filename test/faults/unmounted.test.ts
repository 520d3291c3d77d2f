import assert from 'node:assert/strict';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { run } from '../../src/base/os/run.js';
import { fails, newHome, newPrivateHome, program, type Failure } from '../../testkit/command.js';
import { hosted } from '../../testkit/hosted-command.js';
import { mountable, unshare } from './mounted.js';

/** Arguments: an fstab, a mount unit, what to mount (or nothing), and a command. */
const script = `
  mount --bind "$1" /etc/fstab && mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system || exit 99
  [ -z "$2" ] || cp "$2" /run/systemd/system/photos.mount
  [ -z "$3" ] || mount -t tmpfs tmpfs "$3"
  shift 3 && exec "$@"`;

interface Machine {
  readonly fstab?: string;
  readonly unit?: string;
  readonly mounted?: string;
}

/** Runs imgstore on a machine that is to mount disks. */
async function on(t: TestContext, machine: Machine, args: readonly string[]) {
  const { dir } = await newHome(t, 'etc');
  await mkdir(dir);
  const [fstab, unit] = [join(dir, 'fstab'), join(dir, 'photos.mount')];
  await writeFile(fstab, machine.fstab ?? '');
  await writeFile(unit, machine.unit ?? '');
  const files = [fstab, machine.unit === undefined ? '' : unit, machine.mounted ?? ''];
  const command = [process.execPath, program, ...args, '--json'];
  const { code, stdout, output } = await run('unshare', [
    ...unshare,
    'sh',
    '-c',
    script,
    'sh',
    ...files,
    ...command,
  ]);
  return { code, output, error: code === 0 ? undefined : (JSON.parse(stdout) as Failure).error };
}

async function refused(t: TestContext, machine: Machine, args: readonly string[], path: string) {
  const { code, error, output } = await on(t, machine, args);
  assert.equal(code, 78, output);
  assert.deepEqual([error?.code, error?.setting], ['missing', 'home']);
  assert.ok(error?.message.startsWith(`${path}, which `), error?.message);
  assert.ok(error?.remedy?.includes(`mount ${path}`), error?.remedy);
}

describe('a home on a disk that is not mounted yet', { skip: mountable, concurrency: 2 }, () => {
  for (const command of [['init'], ['serve', '--init'], ['up', '--yes'], ['serve']]) {
    test(`is not initialized by "${command.join(' ')}"`, async (t) => {
      const { dir } = await newHome(t);
      await mkdir(dir);
      const fstab = `# disks\nUUID=1  ${dir}/ ext4 nofail 0 2\n`;
      await refused(t, { fstab }, [...command, '--home', dir], dir);
      assert.deepEqual(await readdir(dir), []);
    });
  }

  test('nor in a folder of the disk, whose path has a blank', async (t) => {
    const { dir } = await newHome(t);
    const disk = join(dir, 'two words');
    await mkdir(disk, { recursive: true });
    const fstab = `/dev/sdb1 ${dir}/two\\040words ext4 defaults 0 2`;
    const home = join(disk, 'imgstore');
    await refused(t, { fstab }, ['init', '--home', home], disk);
    assert.deepEqual(await readdir(disk), []);
    const there = await on(t, { fstab, mounted: disk }, ['init', '--plan', '--home', home]);
    assert.equal(there.code, 0, there.output);
  });

  test('nor if a part of it is a disk of its own, which a unit of systemd mounts', async (t) => {
    const home = await newHome(t);
    await mkdir(home.store, { recursive: true });
    const unit = `[Mount]\nWhat=/dev/sdb1\nWhere=${home.store}\n`;
    const words = ['init', '--plan', '--home', home.dir];
    await refused(t, { unit }, words, home.store);
    const there = await on(t, { unit, mounted: home.store }, words);
    assert.equal(there.code, 0, there.output);
  });

  test('but a folder with something in it is taken as it is', async (t) => {
    const home = await newHome(t);
    await mkdir(home.run, { recursive: true });
    const fstab = `/dev/sdb1 ${home.dir} ext4 defaults 0 2`;
    const { code, output } = await on(t, { fstab }, ['init', '--plan', '--home', home.dir]);
    assert.equal(code, 0, output);
  });
});

test('a home that lost its private database gets no empty one', async (t) => {
  const home = await newPrivateHome(t);
  const made = await hosted(['init', '--home', home.dir]);
  assert.equal(made.code, 0, made.stdout);
  await rename(home.database, join(home.dir, 'elsewhere'));
  for (const words of [['init'], ['init', '--plan']]) {
    await fails(hosted([...words, '--home', home.dir, '--json']), 78, {
      code: 'missing',
      setting: 'home',
      remedy: 'Mount its disk',
    });
  }
  assert.deepEqual((await readdir(home.dir)).includes('database'), false);
});
