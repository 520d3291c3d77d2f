import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { findDumpPrograms } from '../../src/database/postgres/dump-programs.js';
import { manifestOf, resultOf } from '../../testkit/backups.js';
import { newHome } from '../../testkit/command.js';
import { blankDatabase } from '../../testkit/database.js';
import { hosted } from '../../testkit/hosted-command.js';
import { loadDump, oldAnswers } from '../../testkit/old-home.js';
import { lastFirst } from '../../testkit/scope.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

/** Made by imgstore 0.3.0 on PostgreSQL 15; it is never regenerated. */
const older = 'test/fixtures/backup-0.3';
const generation = '20261128T122303Z-916585c6';
const env = { IMGSTORE_BACKUP_PASSPHRASE: 'correct horse battery staple' };

interface Restored {
  readonly ok: boolean;
  readonly generation: string;
  readonly objects: number;
  readonly verified: { readonly ok: boolean };
}

test('a backup of imgstore 0.3.0 is restored: its rows, objects, and secrets', async (t) => {
  const scope = lastFirst(t);
  const home = await newHome(scope);
  const { url } = await blankDatabase(scope);
  const here = ['--home', home.dir, '--database-url', url, '--json'];
  const restored = await resultOf<Restored>(hosted(['restore', older, ...here], { env }));
  const manifest = await manifestOf(older, generation);
  assert.deepEqual(
    [restored.ok, restored.verified.ok, restored.generation, restored.objects],
    [true, true, generation, manifest.length],
  );
  for (const { key, sha256 } of manifest) {
    const content = await readFile(`${home.store}/${key}`);
    assert.equal(createHash('sha256').update(content).digest('hex'), sha256, key);
  }
  const { user } = await oldAnswers();
  const show = ['user', 'show', user, ...here];
  assert.equal((await resultOf<{ image_count: number }>(hosted(show))).image_count, 5);
  // Issuing tokens shows that the restored master key decrypts the signing keys.
  assert.ok(
    (await resultOf<{ access_token: string }>(hosted(['admin', 'token', ...here]))).access_token,
  );
});

test('rows are loaded by programs that are newer than the server', async (t) => {
  const scope = lastFirst(t);
  const home = await newHome(scope);
  const { url } = await blankDatabase(scope);
  const folder = await temporaryDirectory('newer');
  scope.after(() => rm(folder, { recursive: true }));
  const found = await findDumpPrograms(15, home);
  for (const name of ['pg_dump', 'psql']) await symlink(join(found.bin, name), join(folder, name));
  // Since version 17, pg_restore also resets a setting that older servers do not have.
  const more = String.raw`s/^SET lock_timeout = 0;$/&\nSET transaction_timeout = 0;/`;
  const script = `#!/bin/sh\n'${found.bin}/pg_restore' "$@" | sed '${more}'\n`;
  await writeFile(join(folder, 'pg_restore'), script, { mode: 0o755 });
  const programs = { ...found, bin: folder };
  const dump = `${older}/generations/${generation}/database.dump`;
  const target = await loadDump({ programs, dump: resolve(dump), url, folder });
  await target.initialize();
  scope.after(() => target.destroy());
  const [counted] = await target.query<{ n: number }[]>('SELECT count(*)::int AS n FROM images');
  assert.equal(counted?.n, 9);
});
