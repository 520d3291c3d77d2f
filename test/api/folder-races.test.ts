import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntityManager } from 'typeorm';
import { row } from '../../src/database/sql.js';
import { lockUsage } from '../../src/library/quota/usage.js';
import { refusal } from '../../testkit/expect.js';
import type { Answer } from '../../testkit/client.js';
import { eventually } from '../../testkit/eventually.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

// A change of an image is one statement that begins before a change of its folder is committed and
// continues after it: it must use the folder's committed state.

const service = await testService();
const { db } = service;

const isWaiting = async (): Promise<boolean> =>
  (await row(
    db,
    `SELECT FROM pg_stat_activity WHERE datname = current_database()
       AND wait_event_type = 'Lock' AND query LIKE '%folder_is_open%'`,
  )) !== undefined;

/** Begins a request during the folder's change, which is committed once the request waits. */
async function during<T>(
  album: Member,
  change: (tx: EntityManager) => Promise<unknown>,
  request: () => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const { answer } = await db.transaction(async (tx) => {
    await lockUsage(tx, album.id);
    await change(tx);
    const waiting = request();
    await eventually('the request waits for the user', isWaiting);
    return { answer: waiting };
  });
  return answer;
}

const setTrashed = (folder: string, at: string) => (tx: EntityManager) =>
  tx.query(`UPDATE folders SET deleted_at = ${at} WHERE id = $1`, [folder]);

test('an image restored while its folder is being trashed moves to the top level', async () => {
  const album = await service.user();
  const folder = (await album.folder('going')).id;
  const { id } = await album.upload({ folder_id: folder });
  await album.put<Image>(`/images/${id}`, { delete: 'True' });
  const { result } = await during(album, setTrashed(folder, 'now()'), () =>
    album.put<Image>(`/images/${id}`, { delete: 'False' }),
  );
  assert.deepEqual([result.delete_at, result.folder_id], [null, null]);
});

test('an image restored while its folder is being restored stays in it', async () => {
  const album = await service.user();
  const folder = (await album.folder('coming')).id;
  const { id } = await album.upload({ folder_id: folder });
  await album.put<Image>(`/images/${id}`, { delete: 'True' });
  await album.trashFolder({ id: folder });
  const { result } = await during(album, setTrashed(folder, 'NULL'), () =>
    album.put<Image>(`/images/${id}`, { delete: 'False' }),
  );
  assert.deepEqual([result.delete_at, result.folder_id], [null, folder]);
});

test('an image cannot move into a folder that is being trashed or deleted', async () => {
  const album = await service.user();
  const { id } = await album.upload();
  const into = (await album.folder('into')).id;
  const move = () => album.put<Image>(`/images/${id}`, { folder_id: into, has_det: 'True' });
  const trashed = await during(album, setTrashed(into, 'now()'), move);
  assert.deepEqual(refusal(trashed), [400, 'folder_in_trash', 'folder_id']);
  const deleted = await during(
    album,
    (tx) => tx.query('DELETE FROM folders WHERE id = $1', [into]),
    move,
  );
  assert.deepEqual(refusal(deleted), [400, 'folder_not_found', 'folder_id']);
  const { folder_id, has_det } = await album.image(id);
  assert.deepEqual([folder_id, has_det], [null, null]);
});
