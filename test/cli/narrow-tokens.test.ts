import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CreatedNarrowToken, NarrowToken } from '../../src/http/auth/narrow-schemas.js';
import { commandsOn } from '../../testkit/commands-on.js';
import { nobody } from '../../testkit/expect.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import type { CreatedPlatform } from '../../testkit/records.js';
import { lastFirst } from '../../testkit/scope.js';
import { serve } from '../../testkit/appliance.js';

// The service ends before its database.
const scope = lastFirst({ after });
const { home } = await initializedHome(scope);
const { url } = await serve(scope, home, []);
const { done, failed } = commandsOn(home, []);

const statusOf = async (path: string, scheme: string, token: string, method = 'GET') =>
  (await fetch(new URL(path, url), { method, headers: { authorization: `${scheme} ${token}` } }))
    .status;

test('imgstore token makes, lists and revokes narrow tokens', async () => {
  const platform = await done<CreatedPlatform>('platform', 'create', '--name', 'p');
  const of = ['--platform', platform.id];
  const wanted = ['--name', 'reports', '--allow', 'statistics,read'];
  const made = await done<CreatedNarrowToken>('token', 'create', ...of, ...wanted);
  assert.deepEqual([made.allow, made.created_by], [['read', 'statistics'], 'admin']);
  const path = `/api/v1/platforms/${platform.id}`;
  assert.equal(await statusOf(path, 'Platform', made.access_token), 200);
  assert.equal(await statusOf(`${path}/users`, 'Platform', made.access_token, 'POST'), 403);
  const alike = await done<CreatedNarrowToken>('platform', 'token', platform.id, ...wanted);
  const listed = await done<NarrowToken[]>('token', 'list', ...of);
  assert.deepEqual(
    listed.map(({ id }) => id),
    [alike.id, made.id],
  );
  await done('token', 'revoke', made.id);
  assert.equal(await statusOf(path, 'Platform', made.access_token), 401);
  await failed('token', 'revoke', nobody);
  await failed('token', 'create', ...of, '--name', 'x', '--allow', 'everything');
});

test('imgstore admin token with --allow makes a narrow one', async () => {
  const made = await done<CreatedNarrowToken>(
    'admin',
    'token',
    '--name',
    'monitoring',
    '--allow',
    'read',
  );
  assert.equal(await statusOf('/api/v1/status', 'Admin', made.access_token), 200);
  assert.equal(await statusOf('/api/v1/platforms', 'Admin', made.access_token, 'POST'), 403);
  const [listed] = await done<NarrowToken[]>('token', 'list');
  assert.equal(listed?.id, made.id);
});
