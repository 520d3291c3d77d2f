import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  manifestOf,
  verifyBackup,
  resultOf,
  scratchUrl,
  type MadeBackup,
  type VerifiedBackup,
} from '../../testkit/backups.js';
import { newHome } from '../../testkit/command.js';
import { blankDatabase } from '../../testkit/database.js';
import { hosted } from '../../testkit/hosted-command.js';
import { longForm } from '../../testkit/long-form.js';
import { lastFirst } from '../../testkit/scope.js';
import { ownService } from '../../testkit/service.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

const scope = lastFirst({ after });
const service = await ownService(scope);
const [mine, theirs] = [await service.user(), await service.user()];
const scratch = await scratchUrl(scope);
const root = await temporaryDirectory('platform');
scope.after(() => rm(root, { recursive: true, force: true }));
const { url = '' } = service.db.options as { url?: string };
const on = ['--home', service.home.dir, '--database-url', url, '--scratch', scratch, '--json'];

test('a backup of one platform has its rows and objects, and is restored as an installation', async (t) => {
  const within = lastFirst(t);
  for (const album of [mine, theirs]) {
    for (let n = 0; n < 2; n += 1) await album.upload();
    await album.folder('kept');
  }
  const dir = join(root, 'mine');
  const platform = mine.platformId;
  const words = ['backup', dir, '--platform', platform, ...on];
  const made = await resultOf<MadeBackup>(hosted(words));
  const entries = await manifestOf(dir, made.generation);
  assert.ok(entries.length >= 4);
  assert.ok(entries.every(({ key }) => key.startsWith(`${platform}/`)));
  if (longForm) {
    const { ok, faults } = await resultOf<VerifiedBackup>(verifyBackup(dir, scratch));
    assert.deepEqual([ok, faults], [true, []]);
  }

  const home = await newHome(within);
  const { url: database } = await blankDatabase(within);
  const key = join(service.home.secrets, 'master.key');
  const into = ['--home', home.dir, '--database-url', database, '--master-key-file', key];
  await resultOf(hosted(['restore', dir, ...into, '--json']));
  const list = ['platform', 'list', '--home', home.dir, '--json'];
  const listed = JSON.stringify(await resultOf(hosted(list)));
  assert.ok(listed.includes(platform) && !listed.includes(theirs.platformId), listed);
  assert.equal((await hosted(['verify', 'accounts', '--home', home.dir])).code, 0);

  const whole = await hosted(['backup', dir, ...on.slice(0, 4), '--json']);
  assert.equal(whole.code, 1);
  assert.match(whole.stdout, /has backups of the platform/);
});
