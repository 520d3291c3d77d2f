import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done } from '../../testkit/expect.js';
import { userChanges } from '../../testkit/feeds.js';
import type { Image } from '../../testkit/records.js';
import { Replica, serverState } from '../../testkit/replica-of-user.js';
import { testService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();

const snapshotOf = (album: Member, as = ['User', album.token] as const) =>
  service.client.raw('GET', `/api/v1/users/${album.id}/snapshot`, { as });

test('a snapshot has every folder and image as the API returns them, parents first', async () => {
  const platform = await service.platform();
  const album = await service.user(platform);
  const outer = (await album.folder('outer')).id;
  const inner = (await album.folder('inner', { id: outer })).id;
  const { id } = await album.upload({ folder_id: inner, message: '메모 "m"\n' });
  await album.call('POST', `/images/${id}/customs`, { form: { key: '키', value: 'v ✔ \\' } });
  await album.put<Image>(`/images/${id}`, { building_name: '한옥 "1"' });
  await album.upload();
  await album.trashFolder({ id: inner });
  const response = await snapshotOf(album);
  assert.match(response.headers.get('content-type') ?? '', /^application\/x-ndjson/);
  const lines = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  const { last } = done(await userChanges(service, album));
  assert.deepEqual(lines[0], { last });
  assert.deepEqual(lines.at(-1), { end: true, folders: 2, images: 2 });
  const folders = lines.flatMap((line) =>
    'folder' in line ? [line.folder as { id: string }] : [],
  );
  assert.deepEqual(
    folders.map((folder) => folder.id),
    [outer, inner],
  );
  const replica = await Replica.of(service, album);
  assert.deepEqual(replica.state(), await serverState(service, album));
  const own = await service.client.raw('GET', `/api/v1/users/${album.id}/snapshot`, {
    as: ['Platform', platform.token],
  });
  assert.equal(own.status, 200);
  await own.text();
  const other = await service.platform();
  const foreign = await service.client.get(`/api/v1/users/${album.id}/snapshot`, {
    as: ['Platform', other.token],
  });
  assert.deepEqual([foreign.status, foreign.error?.code], [400, 'user_not_found']);
});

test('a replica from a snapshot and the feed equals the server despite four writers', async () => {
  const album = await service.user();
  const stop = new AbortController();
  const writers = Array.from({ length: 4 }, (_, n) => write(album, n, stop.signal));
  const replica = await Replica.of(service, album);
  for (let round = 0; round < 6; round += 1) await replica.follow(2);
  stop.abort();
  await Promise.all(writers);
  await replica.catchUp();
  assert.deepEqual(replica.state(), await serverState(service, album));
  assert.ok(replica.entries > 10, `only ${replica.entries} entries`);
});

/** Makes changes of all types until it is stopped. */
async function write(album: Member, n: number, signal: AbortSignal): Promise<void> {
  for (let step = 0; !signal.aborted; step += 1) {
    const folder = (await album.folder(`${n} ${step}`)).id;
    const { id } = await album.upload({ folder_id: folder, ...(step % 2 && { message: 'm' }) });
    await album.put<Image>(`/images/${id}`, { has_det: 'True' });
    await album.call('POST', `/images/${id}/customs`, { form: { key: 'k', value: `${step}` } });
    if (step % 3 === 0) await album.trashFolder({ id: folder });
    if (step % 3 === 1) await album.put<Image>(`/images/${id}`, { delete: 'True' });
    if (step % 4 === 3) {
      const path = `/api/v1/users/${album.id}/folders/${folder}`;
      await service.client.delete(path, { as: ['User', album.token] });
    }
  }
}
