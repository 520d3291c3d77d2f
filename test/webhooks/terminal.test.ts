import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { WebhookRecord, WebhookWithSecret } from '../../src/feed/webhooks/schemas.js';
import { nobody } from '../../testkit/expect.js';
import { commandsOn } from '../../testkit/commands-on.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { answer, Receiver, verifySigned } from '../../testkit/receiver.js';
import type { CreatedPlatform, CreatedUser } from '../../testkit/records.js';
import { lastFirst } from '../../testkit/scope.js';
import { serve } from '../../testkit/appliance.js';
import { loopbackAllowed } from '../../testkit/webhooks.js';

// The service ends before its database.
const scope = lastFirst({ after });

const { home } = await initializedHome(scope);
const flags = [
  '--webhooks-allow-http',
  loopbackAllowed['webhooks.allow_http'],
  '--webhooks-allow-networks',
  loopbackAllowed['webhooks.allow_networks'],
];
await serve(scope, home, flags);
const receiver = await Receiver.start(scope);

const { run, done, failed } = commandsOn(home, flags);

describe('imgstore webhook', () => {
  let platform: CreatedPlatform;
  let made: WebhookWithSecret;

  test('create shows the secret; list shows the rest', async () => {
    platform = await done<CreatedPlatform>('platform', 'create', '--name', 'p');
    const create = ['webhook', 'create', '--platform', platform.id];
    made = await done(...create, '--url', receiver.url, '--types', 'user.created');
    const { secret, ...record } = made;
    assert.match(secret, /^whsec_/);
    assert.deepEqual(record.types, ['user.created']);
    assert.deepEqual(await done('webhook', 'list'), [record]);
    assert.deepEqual(await done('webhook', 'list', '--platform', platform.id), [record]);
    assert.match((await run('webhook', 'list')).stdout, new RegExp(`^${made.id}  active`, 'm'));
    const { exit_code, code, setting } = await failed(...create, '--url', 'ftp://x');
    assert.deepEqual([exit_code, code, setting], [2, 'invalid_field', '--url']);
    const untyped = await failed(...create, '--url', receiver.url, '--types', 'x');
    assert.deepEqual([untyped.exit_code, untyped.setting], [2, '--types']);
    const other = ['webhook', 'create', '--platform', nobody, '--url', receiver.url];
    assert.equal((await failed(...other)).code, 'platform_not_found');
  });

  test('test sends an event, and fails if the receiver does not accept it', async () => {
    const { status } = await done<{ status: number }>('webhook', 'test', made.id);
    assert.equal(status, 204);
    const [event] = await receiver.has(1);
    assert.ok(event);
    verifySigned(event, made.secret);
    assert.equal(event.type, 'webhook.test');
    receiver.answering = answer(500);
    const { exit_code, message } = await failed('webhook', 'test', made.id);
    assert.equal(exit_code, 1);
    assert.match(message, /500/);
    receiver.answering = answer(204);
  });

  test('pause, resume, deliveries and replay work on the running service', async () => {
    const create = ['user', 'create', '--platform', platform.id, '--platform-user-id'];
    const paused = await done<WebhookRecord>('webhook', 'pause', made.id);
    assert.equal(paused.paused_reason, 'paused by the operator');
    const { webhooks } = await done<{ webhooks: object }>('status');
    assert.deepEqual(webhooks, { active: 0, paused: 1 });
    assert.match((await run('status')).stdout, /^webhooks +0 active, 1 paused/m);
    const user = await done<CreatedUser>(...create, 'kim');
    assert.equal((await done<WebhookRecord>('webhook', 'resume', made.id)).state, 'active');
    await receiver.has(3);

    receiver.received.length = 0;
    assert.deepEqual(await done('webhook', 'replay', made.id, '--after', '0'), {
      id: made.id,
      after: '0',
    });
    const [again] = await receiver.has(1);
    assert.equal(again?.data.user_id, user.user_id);
    assert.equal((await failed('webhook', 'replay', made.id, '--after', 'x')).setting, '--after');

    const attempts = await done<Record<string, unknown>[]>('webhook', 'deliveries', made.id);
    const { message_id, type, user_id, seq, attempt, status, error } = attempts.at(-1) ?? {};
    assert.deepEqual(
      { message_id, type, user_id, seq, attempt, status, error },
      {
        message_id: again?.id,
        type: 'user.created',
        user_id: user.user_id,
        seq: 1,
        attempt: 1,
        status: 204,
        error: null,
      },
    );
    assert.equal((await failed('webhook', 'deliveries', made.id, '--limit', '0')).exit_code, 2);
  });

  test('an unknown webhook is reported', async () => {
    for (const args of [
      ...[['test'], ['pause'], ['resume'], ['deliveries']].map((words) => words),
      ['replay', '--after', '0'],
    ]) {
      const [word = '', ...rest] = args;
      for (const id of [nobody, 'x']) {
        const { exit_code, code, remedy } = await failed('webhook', word, id, ...rest);
        assert.deepEqual([exit_code, code], [1, 'webhook_not_found']);
        assert.ok(remedy?.endsWith('webhook list'), remedy);
      }
    }
  });
});
