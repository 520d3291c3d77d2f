import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ownService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await ownService({ after });
const { keyring, users } = service.service.tenants;

const read = async (who: Member, token: string, node = service.client) => {
  const { status, error } = await node.get(`/api/v1/users/${who.id}`, { as: ['User', token] });
  return error?.code ?? status;
};

const refresh = async (token: string) => {
  const { status, error } = await service.client.post('/api/v1/auth/refresh', {
    json: { refresh_token: token },
  });
  return error?.code ?? status;
};

test('every node signs with the new key; tokens of the old key stay valid', async () => {
  const second = await service.secondNode();
  const user = await service.user();
  const old = await users.issueTokens(user.id);
  assert.equal(await read(user, old.access_token, second), 200);

  const { id } = await keyring.rotate();

  assert.equal(await read(user, old.access_token), 200);
  const fresh = await users.issueTokens(user.id);
  const header = JSON.parse(
    Buffer.from(fresh.access_token.split('.')[0] ?? '', 'base64url').toString(),
  ) as { kid: string };
  assert.equal(header.kid, id);
  assert.equal(await read(user, fresh.access_token, second), 200);
  assert.equal(await refresh(old.refresh_token), 200);
});

test('revoking the old keys revokes their tokens at once, on every node', async () => {
  const second = await service.secondNode();
  const user = await service.user();
  const old = await users.issueTokens(user.id);
  assert.equal(await read(user, old.access_token, second), 200);

  await keyring.rotate({ revokeOld: true });

  assert.equal(await read(user, old.access_token), 'token_revoked');
  assert.equal(await read(user, old.access_token, second), 'token_revoked');
  assert.equal(await refresh(old.refresh_token), 'token_revoked');
  const fresh = await users.issueTokens(user.id);
  assert.equal(await read(user, fresh.access_token, second), 200);
});
