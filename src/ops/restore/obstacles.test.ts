import assert from 'node:assert/strict';
import { test } from 'node:test';
import { before, migrations } from '../../../migrations/index.js';
import { homeWithCluster } from '../../../testkit/copied-home.js';
import { checkMigrations, checkVersions } from './obstacles.js';

test('a backup of a newer imgstore or a newer PostgreSQL is refused', async (t) => {
  const home = await homeWithCluster(t);
  const newer = { imgstore: '9.9.9', postgresql: 15, migrations: ['Future'] };
  await assert.rejects(checkVersions(newer, home), {
    exitCode: 78,
    message: 'The backup was made by imgstore 9.9.9, which is newer than this program.',
  });
  const future = { ...newer, postgresql: 99, migrations: [] };
  await assert.rejects(checkVersions(future, home), { exitCode: 69, setting: 'database.url' });
});

test('a backup of 0.3.0 is taken, and an older one is told to pass through that', () => {
  const ofIt = [before.first, before.last];
  checkMigrations({ imgstore: '0.3.0', migrations: ofIt });
  checkMigrations({ imgstore: '0.4.0', migrations: migrations.map((one) => new one().name ?? '') });
  assert.throws(() => checkMigrations({ imgstore: '0.2.0', migrations: ofIt.slice(0, 1) }), {
    exitCode: 78,
    code: 'older',
    remedy: /0\.3\.0/,
  });
});
