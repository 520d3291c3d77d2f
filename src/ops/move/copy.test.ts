import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { insertUser } from '../../../testkit/insert-user.js';
import { migratedSource } from '../../../testkit/migrated-source.js';
import { lastFirst } from '../../../testkit/scope.js';
import { bytesOf, newKey, putBytes } from '../../../testkit/store/harness.js';
import { makeLocalStore } from '../../../testkit/store/local-harness.js';
import { rows } from '../../database/sql.js';
import type { ObjectStore } from '../../store/port.js';
import { addToPool } from '../backup/copy-objects.js';
import { DirectoryRepository } from '../backup/directory-repository.js';
import { copyObject, copyPieces } from './copy.js';

const scope = lastFirst({ after });
const [from, to] = [await makeLocalStore(), await makeLocalStore()];
scope.after(() => from.cleanup());
scope.after(() => to.cleanup());
const scratch = from.incoming;

/** The store, but for one bit that flips when an object is read for the first time. */
function flippingOnce(store: ObjectStore): ObjectStore {
  let reads = 0;
  const get: ObjectStore['get'] = async (...args) => {
    const body = await store.get(...args);
    if (!body || reads++ > 0) return body;
    const bytes = await buffer(body.stream);
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
    return { bytes: body.bytes, modifiedAt: body.modifiedAt, stream: Readable.from([bytes]) };
  };
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = name === 'get' ? get : Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

test('what differs from its row is read again by moves and backups', async () => {
  const sha256 = createHash('sha256').update('a picture').digest('hex');
  const key = await putBytes(from, 'a picture');
  const moving = { from: flippingOnce(from.store), to: to.store, scratch };
  assert.equal(await copyObject(moving, key, sha256), 'copied');
  assert.equal(String(await bytesOf(to.store, key)), 'a picture');
  const repository = await DirectoryRepository.open(join(scratch, 'backup'), true);
  const store = flippingOnce(from.store);
  const { entry } = await addToPool(
    { store, repository, fileOf: undefined },
    { key, bytes: 9, sha256 },
  );
  assert.deepEqual(entry, { key, bytes: 9, sha256 });
});

test('a move takes the pieces of unfinished uploads along', async () => {
  const db = await migratedSource(scope);
  const { platformId, userId } = await insertUser(db);
  const key = await putBytes(from, 'the beginning', newKey('piece'));
  await rows(
    db,
    `WITH upload AS (
       INSERT INTO resumable_uploads (id, platform_id, user_id, state, length, expires_at)
       VALUES ($1, $2, $3, 'receiving', 100, now() + interval '1 day') RETURNING id)
     INSERT INTO resumable_pieces (key, upload_id, start, bytes) SELECT $4, id, 0, 13 FROM upload`,
    [randomUUID(), platformId, userId, key],
  );
  const parts = { from: from.store, to: to.store, scratch };
  await copyPieces(db, parts);
  await copyPieces(db, parts);
  assert.equal(String(await bytesOf(to.store, key)), 'the beginning');
});
