import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { OwnedSession } from '../../src/http/auth/sessions.js';
import { commandsOn } from '../../testkit/commands-on.js';
import { nobody } from '../../testkit/expect.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { lastFirst } from '../../testkit/scope.js';
import { serve } from '../../testkit/appliance.js';

// The service ends before its database.
const scope = lastFirst({ after });
const { home } = await initializedHome(scope);
const { url } = await serve(scope, home, []);
const { done, failed } = commandsOn(home, []);

async function signIn(link: string): Promise<string> {
  const body = new URLSearchParams(new URL(link).hash.slice(1));
  const answer = await fetch(new URL('/api/v1/auth/console', url), { method: 'POST', body });
  const { result } = (await answer.json()) as { result: { access_token: string } };
  return result.access_token;
}

const statusWith = async (token: string): Promise<number> =>
  (await fetch(new URL('/api/v1/status', url), { headers: { authorization: `Admin ${token}` } }))
    .status;

test('imgstore session lists who is signed in, and ends it at once', async () => {
  assert.deepEqual(await done<OwnedSession[]>('session', 'list'), []);
  const link = async (): Promise<string> => (await done<{ url: string }>('console')).url;
  const [first, second] = [await signIn(await link()), await signIn(await link())];
  const listed = await done<OwnedSession[]>('session', 'list');
  assert.deepEqual(
    listed.map(({ platform_id, user_id, device }) => [platform_id, user_id, device]),
    [
      [null, null, 'node'],
      [null, null, 'node'],
    ],
  );
  assert.ok(listed.every(({ name }) => name !== ''));
  const [newest] = listed;
  assert.ok(newest);
  assert.equal(await statusWith(second), 200);
  assert.equal((await done<OwnedSession>('session', 'end', newest.id)).id, newest.id);
  assert.equal(await statusWith(second), 401);
  assert.equal(await statusWith(first), 200);
  assert.deepEqual(await done('session', 'list', '--limit', '1'), listed.slice(1));
  await failed('session', 'end', newest.id);
  await failed('session', 'end', nobody);
  await failed('session', 'list', '--user', nobody);
  await failed('session', 'list', '--platform', nobody);
  await done('keys', 'rotate', '--revoke-old', '--yes');
  assert.deepEqual(await done('session', 'list'), []);
});
