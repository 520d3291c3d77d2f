import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '../../testkit/eventually.js';
import { settled } from '../../testkit/feeds.js';
import { assertWhole, Receiver } from '../../testkit/receiver.js';
import { ownService } from '../../testkit/service.js';
import { hook, loopbackAllowed } from '../../testkit/webhooks.js';
import type { Member } from '../../testkit/world.js';

const service = await ownService({ after }, loopbackAllowed);

test('receivers that hang delay neither other webhooks nor the API', async (t) => {
  const [slow, quick] = [await Receiver.start(t), await Receiver.start(t)];
  const [open, repeated] = [new Set<string>(), new Set<string>()];
  slow.answering = ({ id }, response) => {
    if (open.has(id)) repeated.add(id);
    open.add(id);
    response.once('close', () => open.delete(id));
  };
  const platform = await service.platform();
  const albums = await Promise.all(
    Array.from({ length: 9 }, async () => await service.user(platform)),
  );
  await settled(service.db); // or webhooks might begin before entries that others hold back
  for (let n = 0; n < 16; n += 1) await hook(service, platform, { url: slow.url });
  await hook(service, platform, { url: quick.url });
  for (const album of albums) await album.folder('a');
  await eventually('many hang', () => slow.received.length >= 72);
  const user = albums[0] as Member;
  for (const title of ['b', 'c', 'd']) await user.folder(title);
  await quick.has(12);
  assertWhole(quick.received, user.id, [2, 5]);
  // If this takes longer than the timeout of an attempt, the next attempt of the event follows.
  assert.deepEqual([...repeated], []);
});
