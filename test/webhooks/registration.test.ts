import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rows } from '../../src/database/sql.js';
import type { WebhookRecord, WebhookWithSecret } from '../../src/feed/webhooks/schemas.js';
import { done, nobody, refused, timePattern, uuidV7 } from '../../testkit/expect.js';
import { testService } from '../../testkit/service.js';
import { hook, hookCall } from '../../testkit/webhooks.js';

const service = await testService();
const url = 'https://example.com/hook';

describe('registration', () => {
  test('a webhook is created, read, updated and deleted; its secret is returned only once', async () => {
    const platform = await service.platform();
    const { secret, ...made } = await hook(service, platform, { url });
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const { id, types, created_at, updated_at, ...rest } = made;
    assert.match(id, uuidV7);
    assert.match(created_at, timePattern);
    assert.equal(updated_at, created_at);
    assert.ok(types.includes('image.created') && types.includes('user.deleted'));
    const unset = { description: null, made_with: null, paused_reason: null };
    assert.deepEqual(rest, { url, state: 'active', ...unset });
    assert.deepEqual(done(await hookCall(service, platform, ['GET', `/${id}`])), made);

    const form = { types: ['image.created', 'folder.moved'], description: 'mirror' };
    const changed = done(await hookCall(service, platform, ['PUT', `/${id}`], { form }));
    assert.deepEqual(changed, { ...made, ...form, updated_at: changed.updated_at });
    const all = { url: 'https://example.org/', types: '', description: '' };
    const back = done(await hookCall(service, platform, ['PUT', `/${id}`], { form: all }));
    assert.deepEqual([back.url, back.types, back.description], [all.url, types, null]);

    const second = await hook(service, platform, { url, types: 'image.created,image.created' });
    assert.deepEqual(second.types, ['image.created']);
    const listed = done(await hookCall<WebhookRecord[]>(service, platform, ['GET', '']));
    assert.deepEqual(
      listed.map((one) => one.id),
      [id, second.id],
    );
    assert.ok(listed.every((one) => !('secret' in one)));

    assert.equal(done(await hookCall(service, platform, ['DELETE', `/${id}`])).id, id);
    refused(await hookCall(service, platform, ['GET', `/${id}`]), 400, 'webhook_not_found');
    const left = done(await hookCall<WebhookRecord[]>(service, platform, ['GET', '']));
    assert.deepEqual(
      left.map((one) => one.id),
      [second.id],
    );
  });

  test('the secret is encrypted at rest, and replaced on rotation', async () => {
    const platform = await service.platform();
    const { id, secret } = await hook(service, platform, { url });
    const stored = await rows<{ sealed: Buffer }>(
      service.db,
      'SELECT sealed FROM webhooks WHERE id = $1',
      [id],
    );
    assert.ok(stored[0] && !stored[0].sealed.toString('latin1').includes(secret.slice(6, 20)));
    const path = ['POST', `/${id}/rotate`] as const;
    const rotated = done(await hookCall<WebhookWithSecret>(service, platform, path));
    assert.equal(rotated.id, id);
    assert.notEqual(rotated.secret, secret);
    const shown = await service.service.tenants.webhooks.getWithSecret({ id });
    assert.equal(shown.secret, rotated.secret);
  });

  test('a repeat with the same key creates no second one, and returns the secret again', async () => {
    const platform = await service.platform();
    const call = { form: { url }, headers: { 'Idempotency-Key': 'hook' } };
    const create = () =>
      hookCall<WebhookWithSecret>(service, platform, ['POST', ''], call).then(done);
    const first = await create();
    assert.deepEqual(await create(), first);
    const listed = done(await hookCall<WebhookRecord[]>(service, platform, ['GET', '']));
    assert.equal(listed.length, 1);
    const kept = await rows<{ answer: Buffer }>(
      service.db,
      'SELECT answer FROM idempotency_keys WHERE owner = $1',
      [platform.id],
    );
    assert.ok(kept[0] && !kept[0].answer.toString('latin1').includes('whsec_'));
  });

  test('pausing and resuming change the state, once', async () => {
    const platform = await service.platform();
    const { id } = await hook(service, platform, { url });
    for (let n = 0; n < 2; n += 1) {
      const paused = done(await hookCall(service, platform, ['POST', `/${id}/pause`]));
      assert.deepEqual([paused.state, paused.paused_reason], ['paused', 'paused by the platform']);
    }
    for (let n = 0; n < 2; n += 1) {
      const resumed = done(await hookCall(service, platform, ['POST', `/${id}/resume`]));
      assert.deepEqual([resumed.state, resumed.paused_reason], ['active', null]);
    }
  });

  test("another platform's webhook is unknown to every operation", async () => {
    const [mine, other] = [await service.platform(), await service.platform()];
    const { id } = await hook(service, other, { url });
    for (const unknown of [id, nobody, 'x']) {
      for (const [method, path] of [
        ...(['GET', 'PUT', 'DELETE'] as const).map((word) => [word, ''] as const),
        ...(['rotate', 'pause', 'resume'] as const).map((word) => ['POST', `/${word}`] as const),
      ]) {
        const answer = await hookCall(service, mine, [method, `/${unknown}${path}`]);
        refused(answer, 400, 'webhook_not_found');
      }
    }
    assert.equal(done(await hookCall(service, other, ['GET', `/${id}`])).state, 'active');
  });

  test('invalid values are refused with the name of the field', async () => {
    const platform = await service.platform();
    const post = (form: Record<string, string>) =>
      hookCall(service, platform, ['POST', ''], { form });
    refused(await post({}), 400, 'missing_field', 'url');
    refused(await post({ url, types: 'image.exploded' }), 400, 'invalid_field', 'types');
    refused(await post({ url, types: 'image.created,memo.moved' }), 400, 'invalid_field', 'types');
    refused(await post({ url, description: 'x'.repeat(1_001) }), 400, 'invalid_field');
    for (const wrong of [
      '',
      'x',
      'ftp://example.com/',
      'http://example.com/',
      'https://',
      '//example.com/',
      'https://user@example.com/',
      'https://user:word@example.com/',
      `https://example.com/${'x'.repeat(2_048)}`,
    ]) {
      refused(await post({ url: wrong }), 400, ['invalid_field', 'missing_field'], 'url');
    }
  });

  test('IPs are refused unless they are public', async () => {
    const platform = await service.platform();
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '10.0.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '0.0.0.0',
      '[::1]',
      '[::ffff:10.0.0.1]',
      '[fd00::1]',
      '[fe80::1]',
      '[64:ff9b::a00:1]',
    ]) {
      const form = { url: `https://${host}/hook` };
      const answer = await hookCall(service, platform, ['POST', ''], { form });
      refused(answer, 400, 'invalid_field', 'url');
    }
    for (const host of ['8.8.8.8', '[2606:4700::1111]', 'localhost']) {
      await hook(service, platform, { url: `https://${host}/hook` });
    }
  });

  test('the number of webhooks of a platform is limited, even with concurrent requests', async () => {
    const platform = await service.platform();
    const answers = await Promise.all(
      Array.from({ length: 25 }, () =>
        hookCall(service, platform, ['POST', ''], { form: { url } }),
      ),
    );
    const made = answers.filter(({ status }) => status === 200);
    assert.equal(made.length, 20);
    for (const answer of answers) {
      if (answer.status !== 200) refused(answer, 400, 'too_many_webhooks');
    }
  });
});
