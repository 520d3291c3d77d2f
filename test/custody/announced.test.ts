import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rows } from '../../src/database/sql.js';
import { logged, PublishedLog } from '../../testkit/custody.js';
import { done } from '../../testkit/expect.js';
import { platformChanges, settled } from '../../testkit/feeds.js';
import { Receiver, verifySigned, type Received } from '../../testkit/receiver.js';
import { ownService } from '../../testkit/service.js';
import { hook, hookCall, loopbackAllowed } from '../../testkit/webhooks.js';

const service = await ownService({ after }, loopbackAllowed);
const { db } = service;

/** A minute passes. */
const later = () =>
  rows(db, `UPDATE custody_logs SET announced_at = announced_at - interval '61 seconds'`);

const dataOf = ({ data }: Received) => data as unknown as Record<string, unknown>;

test('new checkpoints are sent to webhooks that name them, once a minute', async (t) => {
  const platform = await service.platform();
  const user = await platform.user();
  const [all, named] = [await Receiver.start(t), await Receiver.start(t)];
  await settled(db);
  await hook(service, platform, { url: all.url });
  const { secret, types } = await hook(service, platform, {
    url: named.url,
    types: 'checkpoint.created',
  });
  assert.deepEqual(types, ['checkpoint.created']);
  await user.upload();
  const [first] = await named.has(1);
  assert.ok(first);
  verifySigned(first, secret);
  assert.equal(first.type, 'checkpoint.created');
  const { checkpoint, ...rest } = dataOf(first);
  assert.deepEqual(rest, { type: 'checkpoint', action: 'created', platform_id: platform.id });
  assert.equal(checkpoint, await PublishedLog.of(platform).checkpoint());

  await user.upload();
  await user.upload();
  await logged(db);
  assert.equal(named.received.length, 1);
  await later();
  const [, second] = await named.has(2);
  assert.ok(second && second.id !== first.id);
  assert.match(String(dataOf(second).checkpoint), /\n3\n/);

  // Nobody else is told: not those who want all changes, nor who reads the feed, nor the audit.
  await all.has(3);
  assert.deepEqual([...new Set(all.received.map(({ type }) => type))], ['image.created']);
  const { changes } = done(await platformChanges(service, platform));
  assert.ok(changes.every(({ type }) => (type as string) !== 'checkpoint'));
  const audit = done(await platform.call('GET', '/audit', { query: { content: 'True' } }));
  assert.ok(!JSON.stringify(audit).includes('checkpoint'));
  const all2 = done(await hookCall(service, platform, ['GET', '']));
  assert.ok(!JSON.stringify(all2).includes(`"image.created","checkpoint.created"`));
});
