import assert from 'node:assert/strict';
import { test } from 'node:test';
import { homeWithCluster } from '../../../testkit/copied-home.js';
import { checkVersions } from './obstacles.js';

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
