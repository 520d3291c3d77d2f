import assert from 'node:assert/strict';
import { chmod, rename } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import type { Failure } from '../../testkit/command.js';
import { hosted } from '../../testkit/hosted-command.js';
import { jpeg } from '../../testkit/pictures.js';
import { balance } from './accounts.js';
import { appliance } from '../../testkit/appliance.js';
import { eventually } from '../../testkit/eventually.js';

const serving = await appliance({ after });
const { home, user, databaseUrl } = serving;

interface Unready {
  readonly error: { readonly details: Record<string, string> };
}

/** Not at once, since readiness is checked at most once a second. */
const answersReadiness = (status: number) =>
  eventually(`readiness is ${status}`, async () => {
    const answer = await serving.client.raw('GET', '/readyz');
    return answer.status === status;
  });

async function expectAway(id: string): Promise<void> {
  await answersReadiness(503);
  const ready = await serving.client.raw('GET', '/readyz');
  assert.ok(Number(ready.headers.get('retry-after')) > 0);
  const { error } = (await ready.json()) as Unready;
  assert.deepEqual(error.details, {
    database: 'ok',
    migrations: 'ok',
    store: 'down',
    disk: 'ok',
    incoming: 'ok',
    imaging: 'ok',
  });
  const refused = await user.tryUpload({}, await jpeg({ seed: 2 }));
  assert.deepEqual([refused.status, refused.error?.code], [503, 'unavailable']);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal(
    (await user.get(`/images/${id}`)).status,
    200,
    'operations without file access keep working',
  );
}

describe('the store', () => {
  test('disappears while serving: 503, visible in readyz; recovers automatically', async () => {
    const picture = await jpeg();
    const { result } = await user.tryUpload({}, picture);
    await rename(home.store, `${home.store}.away`);
    await expectAway(result.id);
    const status = await hosted(['status', '--home', home.dir, '--json']);
    assert.equal(status.code, 69);
    assert.match(status.json<Failure>().error.message, /not ready: store is down/);
    await rename(`${home.store}.away`, home.store);
    await answersReadiness(200);
    await user.expectBytes(result.id, picture);
    assert.equal((await user.tryUpload({}, await jpeg({ seed: 3 }))).status, 200);
    await balance(home, databaseUrl);
  });

  // Root can write regardless of modes.
  const root = process.getuid?.() === 0;
  test('becomes read-only while serving: 503, visible in readyz', { skip: root }, async () => {
    const { result } = await user.tryUpload({}, await jpeg({ seed: 4 }));
    await chmod(home.store, 0o500);
    await expectAway(result.id);
    await chmod(home.store, 0o700);
    assert.equal((await user.tryUpload({}, await jpeg({ seed: 5 }))).status, 200);
  });

  test('gets no new sentinel while the database has images, whatever the flags of init', async () => {
    await serving.end();
    await rename(home.store, `${home.store}.away`);
    const init = ['init', '--home', home.dir, '--database-url', databaseUrl ?? '', '--json'];
    const refused = await hosted(init);
    assert.equal(refused.code, 78);
    assert.match(refused.json<Failure>().error.message, /has no instance\.json/);
  });
});
