import assert from 'node:assert/strict';
import { done, nobody, refused, timePattern } from '../../testkit/expect.js';
import type { Member, Tenant, World } from '../../testkit/world.js';
import { area } from '../harness.js';

interface NarrowToken {
  readonly id: string;
  readonly name: string;
  readonly allow: readonly string[];
  readonly created_at: string;
  readonly expires_at: string;
  readonly last_used_at: string | null;
  readonly created_by: string;
  /** Only of the creation. */
  readonly access_token?: string;
}

type Owner = Member | Tenant;
type Form = Record<string, string>;

const create = (owner: Owner, form: Form = {}) =>
  owner.call<NarrowToken>('POST', '/tokens', { form: { name: 'reports', allow: 'read', ...form } });

const list = (owner: Owner) => owner.call<NarrowToken[]>('GET', '/tokens');

/** What is found of a token once it has been made. */
const found = ({ access_token, ...record }: NarrowToken): NarrowToken => {
  assert.ok(access_token);
  return record;
};

const dayOf = (time: string): number =>
  Date.parse(time.replace(/^(....)(..)(..).*/, '$1-$2-$3')) / 86_400_000;
const days = ({ created_at: from, expires_at: to }: NarrowToken): number => dayOf(to) - dayOf(from);

/** The owners of tokens, with the names of their operations and the scheme word of their tokens. */
const kinds = [
  {
    scheme: 'User',
    names: ['createToken', 'listTokens', 'getToken', 'deleteToken'],
    owner: async (world: World): Promise<Owner> => (await world.platform()).user(),
  },
  {
    scheme: 'Platform',
    names: ['createPlatformToken', 'listPlatformTokens', 'getPlatformToken', 'deletePlatformToken'],
    owner: (world: World): Promise<Owner> => world.platform(),
  },
] as const;

export const narrowTokens = area('narrow tokens', (check) => {
  for (const { scheme, names, owner: ownerIn } of kinds) {
    const [creating, listing, getting, deleting] = names;

    check(creating, 'X13.1 the token is shown once', async (world) => {
      const owner = await ownerIn(world);
      const made = done(await create(owner, { allow: 'upload,read', expires_in_days: '30' }));
      const record = found(made);
      const { id, created_at, expires_at, ...rest } = record;
      assert.deepEqual(rest, {
        name: 'reports',
        allow: ['read', 'upload'],
        last_used_at: null,
        created_by: scheme.toLowerCase(),
      });
      assert.ok([created_at, expires_at].every((time) => timePattern.test(time)));
      assert.equal(days(made), 30);
      assert.deepEqual(done(await owner.call('GET', `/tokens/${id}`)), record);
      assert.equal(days(done(await create(owner))), 90);
    });

    check(creating, 'X13.1 what a token cannot be is 400', async (world) => {
      const owner = await ownerIn(world);
      refused(await owner.call('POST', '/tokens'), 400, 'missing_field', 'name');
      for (const [field, value] of [
        ['name', ''],
        ['name', 'x'.repeat(101)],
        ['allow', ''],
        ['allow', 'read,platforms'],
        ...(scheme === 'User' ? [['allow', 'users'] as const] : []),
        ['expires_in_days', '0'],
        ['expires_in_days', '366'],
      ] as const) {
        const answer = await create(owner, { [field]: value });
        refused(answer, 400, ['invalid_field', 'missing_field'], field);
      }
      assert.deepEqual(done(await list(owner)), []);
    });

    check(creating, 'X13.2 no token of a narrow one, and no more than it may', async (world) => {
      const owner = await ownerIn(world);
      const { access_token: token = '' } = done(await create(owner, { allow: 'upload' }));
      const as = [scheme, token] as const;
      const reading = await owner.call('GET', '', { as });
      refused(reading, 403, 'not_allowed');
      assert.deepEqual(reading.error?.details, { needs: ['read'] });
      const making = await owner.call('POST', '/tokens', { as });
      refused(making, 403, 'not_allowed');
      assert.deepEqual(making.error?.details, { needs: 'full' });
    });

    check(listing, 'X13.1 lists those that have not ended, newest first', async (world) => {
      const owner = await ownerIn(world);
      const [first, ended, last] = [
        done(await create(owner)),
        done(await create(owner)),
        done(await create(owner)),
      ];
      done(await owner.call('DELETE', `/tokens/${ended.id}`));
      assert.deepEqual(done(await list(owner)), [found(last), found(first)]);
    });

    check(getting, 'X13.1 a token of another is not found', async (world) => {
      const [owner, other] = [await ownerIn(world), await ownerIn(world)];
      const { id } = done(await create(other));
      for (const unknown of [id, nobody, 'x']) {
        const path = `/tokens/${unknown}`;
        refused(await owner.call('GET', path), 400, 'token_not_found');
        refused(await owner.call('DELETE', path), 400, 'token_not_found');
      }
      assert.equal(done(await list(other)).length, 1);
    });

    check(deleting, 'X13.5 a deleted token ends at once', async (world) => {
      const owner = await ownerIn(world);
      const made = done(await create(owner));
      const use = () => owner.call('GET', '', { as: [scheme, made.access_token ?? ''] });
      done(await use());
      const path = `/tokens/${made.id}`;
      const deleted = done(await owner.call<NarrowToken>('DELETE', path));
      assert.deepEqual({ ...deleted, last_used_at: null }, found(made));
      refused(await use(), 401, 'token_revoked');
      refused(await owner.call('GET', path), 400, 'token_not_found');
      refused(await owner.call('DELETE', path), 400, 'token_not_found');
    });
  }

  check('createToken', 'X13.1 an owner has at most 100', async (world) => {
    const user = await world.user();
    for (let n = 0; n < 100; n += 1) done(await create(user));
    refused(await create(user), 400, 'too_many_tokens');
  });

  check('createToken', 'X13.1 platforms make tokens of their own users', async (world) => {
    const user = await world.user();
    const as = ['Platform', user.tenant.token] as const;
    const form = { name: 'camera', allow: 'upload' };
    const made = done(await user.call<NarrowToken>('POST', '/tokens', { as, form }));
    assert.equal(made.created_by, 'platform');
    assert.deepEqual(done(await list(user)), [found(made)]);
  });

  check('createWebhook', 'X13.3 a webhook names the token that made it', async (world) => {
    const tenant = await world.platform();
    const allow = 'webhooks,read';
    const { id, name, access_token: token = '' } = done(await create(tenant, { allow }));
    const made = await tenant.call<{ made_with: unknown }>('POST', '/webhooks', {
      as: ['Platform', token],
      form: { url: 'https://example.com/hook' },
    });
    assert.deepEqual(done(made).made_with, { id, name });
  });
});
