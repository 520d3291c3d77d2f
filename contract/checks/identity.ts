import assert from 'node:assert/strict';
import { done, refused, timePattern } from '../../testkit/expect.js';
import { Issuer } from '../../testkit/issuer.js';
import type { Tenant, World } from '../../testkit/world.js';
import { area } from '../harness.js';

interface Identity {
  readonly issuer: string;
  readonly audience: string;
  readonly jwks_url: string | null;
  readonly jwks: { readonly keys: readonly unknown[] } | null;
  readonly user_claim: string;
  readonly create_users: boolean;
  readonly allow: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

type Form = Record<string, string>;

const set = (tenant: Tenant, form: Form) =>
  tenant.call<Identity>('PUT', '/identity', { form: { audience: 'imgstore', ...form } });
const get = (tenant: Tenant) => tenant.call<Identity>('GET', '/identity');

const jwks_url = 'https://login.example.com/keys';

/** A platform, and an issuer that no other has. */
async function parties(world: World): Promise<{ tenant: Tenant; issuer: Issuer }> {
  const tenant = await world.platform();
  return { tenant, issuer: await Issuer.of(`https://${tenant.id}.example/`, { alg: 'ES256' }) };
}

export const identity = area('identity', (check) => {
  check('setIdentity', 'X14.1 has defaults, and replaces the one before', async (world) => {
    const { tenant, issuer } = await parties(world);
    const made = done(await set(tenant, { issuer: issuer.name, jwks_url }));
    const { created_at, updated_at, ...rest } = made;
    assert.ok([created_at, updated_at].every((time) => timePattern.test(time)));
    assert.deepEqual(rest, {
      issuer: issuer.name,
      audience: 'imgstore',
      jwks_url,
      jwks: null,
      user_claim: 'sub',
      create_users: false,
      allow: ['read', 'upload', 'change', 'delete', 'links'],
    });
    const { jwks } = issuer;
    const next = { issuer: issuer.name, jwks, user_claim: 'upn', create_users: 'True' };
    const put = done(await set(tenant, { ...next, allow: 'upload,read' }));
    assert.deepEqual([put.jwks_url, put.jwks?.keys.length], [null, 1]);
    assert.deepEqual(
      [put.user_claim, put.create_users, put.allow],
      ['upn', true, ['read', 'upload']],
    );
    assert.deepEqual(done(await get(tenant)), put);
  });

  check('setIdentity', 'X14.4 what an identity cannot be is 400', async (world) => {
    const { tenant, issuer } = await parties(world);
    const { name, jwks } = issuer;
    const secret = '{"keys":[{"kty":"oct","k":"AAAA"}]}';
    for (const [form, field] of [
      [{ issuer: '', jwks }, 'issuer'],
      [{ issuer: 'imgstore', jwks }, 'issuer'],
      [{ issuer: name, jwks, audience: '' }, 'audience'],
      [{ issuer: name }, 'jwks_url'],
      [{ issuer: name, jwks, jwks_url }, 'jwks_url'],
      [{ issuer: name, jwks_url: 'https://10.0.0.1/' }, 'jwks_url'],
      [{ issuer: name, jwks: secret }, 'jwks'],
      [{ issuer: name, jwks, allow: 'users' }, 'allow'],
    ] as const) {
      refused(await set(tenant, form), 400, ['invalid_field', 'missing_field'], field);
    }
  });

  check('setIdentity', 'X14.1 issuer and audience belong to one platform', async (world) => {
    const { tenant, issuer } = await parties(world);
    const form = { issuer: issuer.name, jwks: issuer.jwks };
    done(await set(tenant, form));
    done(await set(tenant, form));
    const other = await world.platform();
    refused(await set(other, form), 409, 'issuer_taken');
    done(await set(other, { ...form, audience: 'another' }));
    refused(
      await other.call('GET', '', { as: ['User', await issuer.sign('u')] }),
      401,
      'unauthorized',
    );
  });

  check('getUser', 'X14.1 a token is the user whom its claim names', async (world) => {
    const { tenant, issuer } = await parties(world);
    const user = await tenant.user();
    done(await set(tenant, { issuer: issuer.name, jwks: issuer.jwks, allow: 'read' }));
    const name = user.record.platform_user_id;
    const as = ['User', await issuer.sign(name)] as const;
    assert.equal(done(await user.call<{ id: string }>('GET', '', { as })).id, user.id);
    const stranger = await tenant.user();
    refused(await stranger.call('GET', '', { as }), 403, 'forbidden');
    refused(await user.call('POST', '/folders', { as, form: { title: 'x' } }), 403, 'not_allowed');
    refused(await user.call('POST', '/tokens', { as, form: {} }), 403, 'not_allowed');
    const past = await issuer.sign(name, { exp: Math.floor(Date.now() / 1000) - 90 });
    refused(await user.call('GET', '', { as: ['User', past] }), 401, 'token_expired');
  });

  check('getUser', 'X14.1 a new user is made where that is wanted', async (world) => {
    const { tenant, issuer } = await parties(world);
    const as = ['User', await issuer.sign('newcomer')] as const;
    const me = () => tenant.client.get<{ platform_user_id: string }>('/api/v1/users/me', { as });
    const form = { issuer: issuer.name, jwks: issuer.jwks };
    done(await set(tenant, form));
    const refusal = await me();
    refused(refusal, 401, 'unauthorized');
    assert.ok(!refusal.message.includes('newcomer'), 'X14.3 nothing of the token in it');
    done(await set(tenant, { ...form, create_users: 'True' }));
    assert.equal(done(await me()).platform_user_id, 'newcomer');
  });

  check('deleteIdentity', 'X14.3 its tokens end with it, at once', async (world) => {
    const { tenant, issuer } = await parties(world);
    const user = await tenant.user();
    const made = done(await set(tenant, { issuer: issuer.name, jwks: issuer.jwks }));
    const as = ['User', await issuer.sign(user.record.platform_user_id)] as const;
    done(await user.call('GET', '', { as }));
    assert.deepEqual(done(await tenant.call('DELETE', '/identity')), made);
    refused(await user.call('GET', '', { as }), 401, 'unauthorized');
    refused(await get(tenant), 400, 'identity_not_found');
    refused(await tenant.call('DELETE', '/identity'), 400, 'identity_not_found');
  });
});
