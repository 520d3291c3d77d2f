import assert from 'node:assert/strict';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { chooseMajor } from './apt.js';
import { inspectEngine, isUsable, systemEngines } from './engine.js';
import { temporaryDirectory } from '../../../testkit/temporary.js';

/** A folder that looks like an installation, whose programs only print their version. */
async function installation(t: TestContext, version: string, extensions: string[], icu: boolean) {
  const dir = await temporaryDirectory('engine');
  t.after(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'bin'));
  await mkdir(join(dir, 'share/extension'), { recursive: true });
  for (const name of ['plpgsql', ...extensions]) {
    await writeFile(join(dir, 'share/extension', `${name}.control`), '');
  }
  const library = icu ? '# libicui18n.so.72' : '';
  for (const name of ['postgres', 'initdb', 'pg_ctl']) {
    const script = `#!/bin/sh\n${library}\necho "postgres (PostgreSQL) ${version}"\n`;
    await writeFile(join(dir, 'bin', name), script);
    await chmod(join(dir, 'bin', name), 0o755);
  }
  return join(dir, 'bin');
}

const all = ['postgis', 'btree_gist', 'btree_gin', 'pg_trgm'];

test('a complete installation is usable', async (t) => {
  const found = await inspectEngine(await installation(t, '17.2 (Debian 17.2-1)', all, true));
  assert.equal(found?.major, 17);
  assert.deepEqual(found.missing, []);
  assert.ok(isUsable(found));
});

test('missing parts of an installation are named', async (t) => {
  const found = await inspectEngine(await installation(t, '16.1', ['pg_trgm'], false));
  assert.deepEqual(found?.missing, ['postgis', 'btree_gist', 'btree_gin', 'icu']);
  assert.ok(!isUsable(found));
});

test('a version that is too old is not usable', async (t) => {
  const found = await inspectEngine(await installation(t, '14.11', all, true));
  assert.ok(found && !isUsable(found));
});

test('a folder without server programs is not an installation', async (t) => {
  const bin = await installation(t, '17.2', all, true);
  await rm(join(bin, 'initdb'));
  assert.equal(await inspectEngine(bin), undefined);
});

test('servers on the PATH are found, newest first', async (t) => {
  const old = await installation(t, '15.3', all, true);
  const recent = await installation(t, '99.0', all, true);
  const found = await systemEngines({ PATH: `${old}:${recent}` });
  assert.equal(found[0]?.bin, recent);
  assert.ok(found.some((e) => e.bin === old));
});

test('apt installs PostGIS for the existing server, otherwise the newest', () => {
  assert.equal(chooseMajor([17, 16, 15], [15]), 15);
  assert.equal(chooseMajor([17, 16, 15], [14, 13]), 17);
  assert.equal(chooseMajor([17, 16], [15]), 17);
  assert.equal(chooseMajor([], [15]), undefined);
});
