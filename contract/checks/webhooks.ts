import assert from 'node:assert/strict';
import { done, nobody, refused, timePattern } from '../../testkit/expect.js';
import type { Tenant } from '../../testkit/world.js';
import { area } from '../harness.js';

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly description: string | null;
  readonly state: 'active' | 'paused';
  readonly paused_reason: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly made_with: null;
  readonly secret?: string;
}

type Form = Record<string, string | readonly string[]>;

const url = 'https://example.com/hook';

const create = (tenant: Tenant, form: Form = { url }) =>
  tenant.call<Webhook>('POST', '/webhooks', { form });

const act = (tenant: Tenant, method: string, path: string, form?: Form) =>
  tenant.call<Webhook>(method, `/webhooks/${path}`, form ? { form } : {});

export const webhooks = area('webhooks', (check) => {
  check(
    'createWebhook',
    'X5.1 returns the secret once, and subscribes to all types',
    async (world) => {
      const tenant = await world.platform();
      const { secret, ...record } = done(await create(tenant));
      assert.match(secret ?? '', /^whsec_/);
      const { id, types, created_at, updated_at, ...rest } = record;
      assert.deepEqual(rest, {
        url,
        description: null,
        state: 'active',
        paused_reason: null,
        made_with: null,
      });
      assert.ok([created_at, updated_at].every((time) => timePattern.test(time)));
      assert.ok(types.includes('image.created') && types.includes('folder.trashed'));
      assert.deepEqual(done(await act(tenant, 'GET', id)), record);
    },
  );

  check('createWebhook', 'X5.1 refuses invalid fields', async (world) => {
    const tenant = await world.platform();
    refused(await create(tenant, {}), 400, 'missing_field', 'url');
    refused(await create(tenant, { url: 'ftp://example.com' }), 400, 'invalid_field', 'url');
    refused(await create(tenant, { url, types: 'image.lost' }), 400, 'invalid_field', 'types');
    for (const host of ['127.0.0.1', '[::1]', '10.0.0.1', '169.254.169.254']) {
      refused(await create(tenant, { url: `https://${host}/` }), 400, 'invalid_field', 'url');
    }
  });

  check(
    'listWebhooks',
    "X5.1 lists the platform's own webhooks, without secrets",
    async (world) => {
      const [tenant, other] = [await world.platform(), await world.platform()];
      const { id } = done(await create(tenant, { url, types: ['image.created', 'image.deleted'] }));
      done(await create(other));
      const listed = done(await tenant.call<Webhook[]>('GET', '/webhooks'));
      assert.deepEqual(
        listed.map((one) => one.id),
        [id],
      );
      assert.deepEqual(listed[0]?.types, ['image.created', 'image.deleted']);
      assert.ok(!('secret' in (listed[0] ?? {})));
    },
  );

  check('updateWebhook', 'X5.1 changes only the given fields', async (world) => {
    const tenant = await world.platform();
    const { id, secret, ...made } = done(await create(tenant));
    assert.ok(secret);
    const form = { types: 'user.created', description: 'mirror' };
    const changed = done(await act(tenant, 'PUT', id, form));
    assert.deepEqual(changed, {
      ...made,
      id,
      description: 'mirror',
      types: ['user.created'],
      updated_at: changed.updated_at,
    });
    refused(await act(tenant, 'PUT', id, { url: 'x' }), 400, 'invalid_field', 'url');
  });

  check('rotateWebhook', 'X5.1 returns a new secret', async (world) => {
    const tenant = await world.platform();
    const { id, secret } = done(await create(tenant));
    const rotated = done(await act(tenant, 'POST', `${id}/rotate`));
    assert.match(rotated.secret ?? '', /^whsec_/);
    assert.notEqual(rotated.secret, secret);
  });

  check('pauseWebhook', 'X5.1 pauses with a reason', async (world) => {
    const tenant = await world.platform();
    const { id } = done(await create(tenant));
    const paused = done(await act(tenant, 'POST', `${id}/pause`));
    assert.equal(paused.state, 'paused');
    assert.ok(paused.paused_reason);
  });

  check('resumeWebhook', 'X5.1 resumes', async (world) => {
    const tenant = await world.platform();
    const { id } = done(await create(tenant));
    done(await act(tenant, 'POST', `${id}/pause`));
    const { state, paused_reason } = done(await act(tenant, 'POST', `${id}/resume`));
    assert.deepEqual([state, paused_reason], ['active', null]);
  });

  check('deleteWebhook', 'X5.1 returns the record', async (world) => {
    const tenant = await world.platform();
    const { id } = done(await create(tenant));
    assert.equal(done(await act(tenant, 'DELETE', id)).id, id);
    refused(await act(tenant, 'GET', id), 400, 'webhook_not_found');
  });

  check('getWebhook', 'X5.1 a webhook of another platform is not found', async (world) => {
    const [tenant, other] = [await world.platform(), await world.platform()];
    const { id } = done(await create(other));
    for (const unknown of [id, nobody, 'x']) {
      for (const [method, path] of [
        ...['GET', 'PUT', 'DELETE'].map((word) => [word, unknown] as const),
        ...['rotate', 'pause', 'resume'].map((word) => ['POST', `${unknown}/${word}`] as const),
      ]) {
        refused(await act(tenant, method, path), 400, 'webhook_not_found');
      }
    }
  });
});
