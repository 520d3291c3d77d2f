import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../testkit/database.js';
import { readDocument } from '../../testkit/documented.js';
import { hosted } from '../../testkit/hosted-command.js';
import { lastFirst } from '../../testkit/scope.js';
import { ownService } from '../../testkit/service.js';

const scope = lastFirst({ after });
const { url } = await testDatabase(scope);
const service = await ownService(scope, { 'database.url': url });
const user = await service.user();
const admin = await service.adminToken();
const image = await user.upload();
const node = await service.node();
const here = ['--home', service.home.dir, '--database-url', url, '--json'];

async function turn(word: 'on' | 'off' | 'status'): Promise<string | null> {
  const ran = await hosted(['maintenance', word, ...here]);
  assert.equal(ran.code, 0, ran.stderr);
  return ran.json<{ read_only_since: string | null }>().read_only_since;
}

/** Tries a change on a node. */
const change = (base: string): Promise<Response> =>
  fetch(`${base}/api/v1/users/${user.id}/folders`, {
    method: 'POST',
    headers: { authorization: `User ${user.token}` },
    body: new URLSearchParams({ title: `folder ${Math.random()}` }),
  });

const readOnly = async (base: string): Promise<unknown> => {
  const response = await fetch(`${base}/readyz`);
  assert.equal(response.status, 200);
  return ((await response.json()) as { read_only: unknown }).read_only;
};

test('maintenance refuses changes on all nodes, also after a restart, until it ends', async () => {
  const nodes = [service.service.url, node.url];
  assert.equal(await turn('status'), null);
  for (const base of nodes) assert.equal(await readOnly(base), false);
  const since = await turn('on');
  assert.ok(since);
  assert.equal(await turn('on'), since, 'it goes on');
  await node.stop();
  await node.start();
  for (const base of nodes) {
    const refused = await change(base);
    const { error } = (await refused.json()) as { error: { code: string } };
    const { status, headers } = refused;
    assert.deepEqual([status, error.code, headers.get('retry-after')], [503, 'maintenance', '60']);
    assert.equal(await readOnly(base), true);
  }
  assert.equal(await turn('status'), since);
  assert.equal(await turn('off'), null);
  for (const base of nodes) {
    assert.equal((await change(base)).status, 200);
    assert.equal(await readOnly(base), false);
  }
});

test('in maintenance, reading and signing in go on, and uploads that resume are told', async (t) => {
  await turn('on');
  t.after(() => turn('off'));
  assert.equal((await user.get(`/images/${image.id}`)).status, 200);
  assert.equal((await fetch(image.thumb_url)).status, 200);
  const archive = await user.call('POST', '/images/archive', { json: { image_ids: [image.id] } });
  assert.equal(archive.status, 200);
  assert.equal((await user.post('/images/check', { hashes: image.hashdata })).status, 200);
  const refreshed = await service.client.post('/api/v1/auth/refresh', {
    urlencoded: { refresh_token: user.record.refresh_token },
  });
  assert.equal(refreshed.status, 200);
  const creation = await service.client.raw('POST', `/api/v1/users/${user.id}/uploads`, {
    as: ['User', user.token],
    headers: { 'tus-resumable': '1.0.0', 'upload-length': '10' },
  });
  assert.deepEqual([creation.status, creation.headers.get('retry-after')], [503, '60']);
  const status = await service.client.get<{ read_only_since: string | null }>('/api/v1/status', {
    as: ['Admin', admin],
  });
  assert.ok(status.result.read_only_since);
  const doctor = await hosted(['doctor', '--only', 'maintenance', ...here]);
  assert.match(doctor.stdout, /in maintenance for .+maintenance off/s);
});

test('every operation that changes something lists the code', async () => {
  const { paths, components } = await readDocument(service.service.url);
  const goOn: string[] = [];
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { responses = {} }] of Object.entries(methods)) {
      if (!['post', 'put', 'patch', 'delete'].includes(method)) continue;
      const listed = responses['503'];
      const ref = listed?.$ref?.split('/').at(-1);
      const text = JSON.stringify(ref === undefined ? listed : components.responses[ref]);
      if (!text?.includes('"maintenance"')) goOn.push(`${method} ${path}`);
    }
  }
  assert.deepEqual(goOn.sort(), [
    'delete /api/v1/auth/session',
    'post /api/v1/auth/console',
    'post /api/v1/auth/refresh',
    'post /api/v1/auth/session',
    'post /api/v1/users/{user_id}/images/archive',
    'post /api/v1/users/{user_id}/images/check',
    'post /api/v1/users/{user_id}/images/ledger',
    'post /s/{secret}/archive',
    'post /s/{secret}/password',
  ]);
});
