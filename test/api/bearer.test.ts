import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testService } from '../../testkit/service.js';

const service = await testService();
const { client } = service;
const user = await service.user();
const path = `/api/v1/users/${user.id}`;
const under = (authorization: string) => client.get(path, { headers: { authorization } });

describe('Bearer', () => {
  test('works like the scheme word, in any case', async () => {
    for (const word of ['Bearer', 'bearer', 'BEARER']) {
      assert.equal((await under(`${word} ${user.token}`)).status, 200);
    }
  });

  test('fits each type of token where several are accepted', async () => {
    const platform = await service.platform();
    const { id, token } = await service.user(platform);
    for (const bearer of [token, platform.token]) {
      const headers = { authorization: `Bearer ${bearer}` };
      assert.equal((await client.get(`/api/v1/users/${id}/changes`, { headers })).status, 200);
    }
  });

  test('does not accept a token of another type; the error says what to send', async () => {
    const platform = await service.platform();
    for (const [token, whose] of [
      [platform.token, 'a platform'],
      [await service.adminToken(), 'an administrator'],
    ] as const) {
      const { status, message, error } = await under(`Bearer ${token}`);
      assert.deepEqual([status, error?.code], [401, 'unauthorized']);
      const expected = 'send "Authorization: User <access token>".';
      assert.equal(
        message,
        `This operation requires a User token, not one of ${whose}: ${expected}`,
      );
    }
  });
});
