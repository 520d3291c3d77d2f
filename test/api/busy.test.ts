import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ownService } from '../../testkit/service.js';

const service = await ownService({ after }, { 'database.statement_timeout': '5' });
const { client, db } = service;
const user = await service.user();

test('a statement that times out is 503 with Retry-After, and changes nothing', async () => {
  const folders = `/api/v1/users/${user.id}/folders`;
  const as = ['User', user.token] as const;
  const answer = await db.transaction(async (tx) => {
    await tx.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id]);
    return client.post(folders, { as, form: { title: 'later' } });
  });
  assert.deepEqual([answer.status, answer.error?.code], [503, 'unavailable']);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  assert.deepEqual((await client.get(folders, { as })).result, []);
});
