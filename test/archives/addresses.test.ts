import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgetArchives } from '../../src/library/images/archive/addresses.js';
import { done } from '../../testkit/expect.js';
import type { Archive } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();
const { client, db } = service;

const archiveOf = async (user: Member): Promise<Archive> =>
  done(await client.post<Archive>(`${user.images}/archive`, { as: ['User', user.token] }));

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

test('an address ends with the suspension of its user', async () => {
  const platform = await service.platform();
  const user = await service.user(platform);
  const { url } = await archiveOf(user);
  const other = await archiveOf(await service.user(platform));
  assert.equal(await statusOf(url), 200);
  const at = `/api/v1/platforms/${platform.id}/users/${user.id}`;
  done(await client.post(`${at}/suspend`, { as: ['Platform', platform.token] }));
  assert.equal(await statusOf(url), 403);
  assert.equal(await statusOf(other.url), 200);
});

test('an address ends with the deletion of its user', async () => {
  const user = await service.user();
  const { url } = await archiveOf(user);
  done(await client.delete(`/api/v1/users/${user.id}`, { as: ['User', user.token] }));
  assert.equal(await statusOf(url), 403);
});

test('an address ends when the token that made it is revoked', async () => {
  const user = await service.user();
  const { url } = await archiveOf(user);
  await db.query('UPDATE platforms SET token_generation = token_generation + 1 WHERE id = $1', [
    user.platformId,
  ]);
  assert.equal(await statusOf(url), 403);
});

test('an address ends when it expires, and its row goes', async () => {
  const user = await service.user();
  const { url } = await archiveOf(user);
  await db.query(`UPDATE archives SET expires_at = now() WHERE user_id = $1`, [user.id]);
  assert.equal(await statusOf(url), 403);
  await forgetArchives(db);
  assert.deepEqual(await db.query('SELECT id FROM archives WHERE user_id = $1', [user.id]), []);
});
