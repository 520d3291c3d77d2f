import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { run } from '../../src/base/os/run.js';
import { needs, programs } from '../../testkit/programs.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

/** Purges a package whose home and settings have these files. @returns what is left, and is said. */
async function purged(t: TestContext, files: readonly string[]) {
  const dir = await temporaryDirectory('purge');
  t.after(() => rm(dir, { recursive: true, force: true }));
  const [lib, etc, bin] = ['lib', 'etc', 'bin'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [join(lib, 'imgstore'), join(etc, 'imgstore'), bin]) {
    await mkdir(folder, { recursive: true });
  }
  for (const file of files) await writeFile(join(lib, 'imgstore', file), '');
  await writeFile(join(etc, 'imgstore/config.yaml'), '');
  // What only Debian has, and what would touch the users of this machine.
  for (const name of ['deb-systemd-helper', 'getent']) {
    await writeFile(join(bin, name), '#!/bin/sh\nexit 1\n');
    await chmod(join(bin, name), 0o755);
  }
  const machine = ['--dev-bind', '/', '/', '--bind', lib, '/var/lib', '--bind', etc, '/etc'];
  const path = ['--setenv', 'PATH', `${bin}:/usr/bin:/bin`];
  const words = [...machine, ...path, '/bin/sh', join(process.cwd(), 'packaging/debian/postrm')];
  const { code, output } = await run('bwrap', [...words, 'purge']);
  assert.equal(code, 0, output);
  return { output, left: [await readdir(lib), await readdir(etc)] };
}

describe('apt purge', await needs(programs.bubblewrap), () => {
  test('keeps a home with anything in it, its settings, and says how to delete them', async (t) => {
    const { left, output } = await purged(t, ['secret']);
    assert.deepEqual(left, [['imgstore'], ['imgstore']]);
    assert.match(output, /rm -rf \/var\/lib\/imgstore \/etc\/imgstore/);
  });

  test('removes an empty one and its settings', async (t) => {
    assert.deepEqual((await purged(t, [])).left, [[], []]);
  });
});
