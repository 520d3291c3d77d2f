import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { LinkRecord } from '../../src/library/links/schemas.js';
import { commandsOn } from '../../testkit/commands-on.js';
import { nobody } from '../../testkit/expect.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import type { CreatedPlatform, CreatedUser } from '../../testkit/records.js';
import { lastFirst } from '../../testkit/scope.js';
import { serve } from '../../testkit/appliance.js';

// The service ends before its database.
const scope = lastFirst({ after });
const { home } = await initializedHome(scope);
const { url } = await serve(scope, home, []);
const { run, done, failed } = commandsOn(home, []);

test('imgstore link makes, lists, pauses, resumes, and ends links', async () => {
  const platform = await done<CreatedPlatform>('platform', 'create', '--name', 'p');
  const create = ['user', 'create', '--platform', platform.id, '--platform-user-id', 'kim'];
  const user = await done<CreatedUser>(...create);
  const headers = { authorization: `User ${user.access_token}` };
  const body = new URLSearchParams({ title: '현장' });
  const made = await fetch(`${url}/api/v1/users/${user.user_id}/folders`, {
    method: 'POST',
    headers,
    body,
  });
  const folder = ((await made.json()) as { result: { id: string } }).result.id;
  const ofUser = ['--user', user.user_id];
  const wanted = [
    'link',
    'create',
    ...ofUser,
    '--folder-id',
    folder,
    '--title',
    '3동',
    '--show-place',
  ];
  const link = await done<LinkRecord>(...wanted);
  assert.ok(link.url?.startsWith(`${url.replace(/\/$/, '')}/s/`), String(link.url));
  assert.deepEqual([link.kind, link.title, link.show_place], ['view', '3동', true]);
  assert.equal((await fetch(link.url ?? '')).status, 200);
  const [listed] = await done<LinkRecord[]>('link', 'list', ...ofUser);
  assert.deepEqual([listed?.id, listed?.url, listed?.visits], [link.id, link.url, 1]);
  assert.match((await run('link', 'list', ...ofUser)).stdout, new RegExp(`^${link.id}  view`));
  assert.equal((await done<LinkRecord>('link', 'pause', link.id)).state, 'paused');
  assert.equal((await fetch(link.url ?? '')).status, 410);
  assert.equal((await done<LinkRecord>('link', 'resume', link.id)).state, 'active');
  await done('link', 'end', link.id);
  assert.equal((await fetch(link.url ?? '')).status, 410);
  assert.equal((await failed('link', 'pause', link.id)).code, 'link_not_found');
  assert.equal((await failed('link', 'list', '--user', nobody)).code, 'user_not_found');
  assert.equal(
    (await failed('link', 'create', ...ofUser)).message,
    '--folder-id or --image-ids is required.',
  );
  const past = await failed(...wanted, '--expires-at', '20200101_000000');
  assert.deepEqual([past.exit_code, past.setting], [2, '--expires-at']);
});
