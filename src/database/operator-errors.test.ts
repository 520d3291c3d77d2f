import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../testkit/database.js';
import { asSuperuser } from './postgres/connect.js';
import { explainServer } from './connection-error.js';

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail('it succeeded'),
    (error: unknown) => error,
  );

test('a server without disk space exits with 69, also in the middle of a migration', async (t) => {
  const { url } = await testDatabase(t);
  const full = asSuperuser(url.replace('//imgstore:', '//postgres:'), [
    `SET temp_file_limit = '1kB'`,
    `SET work_mem = '64kB'`,
    'SELECT count(*) FROM (SELECT n FROM generate_series(1, 100000) n ORDER BY n % 7) AS sorted',
  ]);
  const explained = explainServer(await failureOf(full));
  assert.equal(explained?.exitCode, 69);
  assert.equal(explained.setting, 'database.url');
  assert.match(explained.message, /has run out of resources: temporary file size exceeds/);
  assert.match(explained.remedy ?? '', /free up disk space/);
});

test('a faulty statement is not reported as server trouble', async (t) => {
  const { url } = await testDatabase(t);
  assert.equal(explainServer(await failureOf(asSuperuser(url, ['SELECT nonsense']))), undefined);
});
