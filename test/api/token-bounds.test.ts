import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { KeyQuota } from '../../src/http/idempotency/keys.js';
import { row, rows } from '../../src/database/sql.js';
import { done, refused } from '../../testkit/expect.js';
import { sha256 } from '../../testkit/fetch.js';
import type { Folder, UploadSet } from '../../testkit/records.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { ownService } from '../../testkit/service.js';
import { openUpload } from '../faults/raw-upload.js';
import type { Member } from '../../testkit/world.js';

const service = await ownService(
  { after },
  {
    'idempotency.max_per_owner': '3',
    'limits.max_folders': '5',
    'limits.max_images': '3',
    'upload_sets.max_per_user': '3',
    'upload_sets.max_files_per_user': '50',
  },
);

const hashesOf = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => sha256(Buffer.from(`${name} ${n}`)));

const announce = (user: Member, name: string, count = 1) =>
  user.call<UploadSet>('POST', '/upload-sets', { json: { hashes: hashesOf(name, count) } });

const setsOf = async (user: Member): Promise<number> =>
  done(await user.get<{ total_count: number }>('/upload-sets')).total_count;

describe('upload sets of a user', () => {
  test('are limited, even if created concurrently; deleting one allows another', async () => {
    const user = await service.user();
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((name) => announce(user, name)),
    );
    const made = answers.filter(({ status }) => status === 200);
    assert.equal(made.length, 3);
    for (const answer of answers) {
      if (answer.status === 200) continue;
      refused(answer, 400, 'too_many_upload_sets');
      assert.deepEqual(answer.error?.details, { sets: 3, files: 3, max_sets: 3, max_files: 50 });
      assert.match(answer.message, /at most 3 upload sets/);
    }
    assert.equal(await setsOf(user), 3);
    assert.equal((await announce(await service.user(), 'of somebody else')).status, 200);
    done(await user.call('DELETE', `/upload-sets/${made[0]?.result.id}`));
    done(await announce(user, 'f'));
  });

  test('may expect only a limited number of files in all', async () => {
    const user = await service.user();
    done(await announce(user, 'a', 30));
    const answer = await announce(user, 'b', 21);
    refused(answer, 400, 'too_many_upload_sets', 'hashes');
    assert.match(answer.message, /at most 50 files together/);
    const hashes = [...hashesOf('c', 20), ...hashesOf('c', 20)]; // duplicates do not count
    done(await user.call('POST', '/upload-sets', { json: { hashes } }));
    assert.equal(await setsOf(user), 2);
  });
});

test('of kept answers the oldest are forgotten, and no key is refused', async () => {
  const user = await service.user();
  const create = (title: string, key: string) =>
    user.call<Folder>('POST', '/folders', {
      form: { title },
      headers: { 'Idempotency-Key': key },
    });
  const made: Folder[] = [];
  for (const n of [0, 1, 2, 3]) made.push(done(await create(`${n}`, `key-${n}`)));
  refused(await create('0', 'key-0'), 400, 'folder_exists');
  const other = await service.user();
  done(
    await other.call('POST', '/folders', {
      form: { title: 'x' },
      headers: { 'Idempotency-Key': 'key-0' },
    }),
  );
  assert.deepEqual(done(await create('3', 'key-3')), made[3]);
});

test('the answers that are kept for a user are limited in bytes, and go as a whole', async () => {
  const { id: owner } = await service.user();
  const [bytes, size] = [200_000, 10_000];
  const quota = new KeyQuota(service.db, { pieces: 1_000, bytes });
  for (let n = 0; n < 50; n += 1) {
    await quota.makeRoom(owner);
    await rows(
      service.db,
      `INSERT INTO idempotency_keys (owner, key, piece, fingerprint, answer, is_last)
       SELECT $1, $2, piece, '', $3, piece = 1 FROM generate_series(0, 1) AS piece`,
      [owner, `key ${n}`, Buffer.alloc(size / 2)],
    );
    for (const half of [size / 2, size / 2]) quota.charge(owner, half);
  }
  const kept = await rows<{ key: string; pieces: number }>(
    service.db,
    `SELECT key, count(*)::int AS pieces FROM idempotency_keys WHERE owner = $1
     GROUP BY key ORDER BY min(created_at)`,
    [owner],
  );
  const newest = Array.from({ length: kept.length }, (_, n) => `key ${50 - kept.length + n}`);
  assert.deepEqual(
    kept,
    newest.map((key) => ({ key, pieces: 2 })),
  );
  assert.ok(kept.length > 15 && kept.length * size <= bytes + size, `${kept.length} were kept`);
});

test('folders of a user are limited, trash included, even if created concurrently', async () => {
  const user = await service.user();
  const create = (title: string) => user.call<Folder>('POST', '/folders', { form: { title } });
  const answers = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(create));
  const made = answers.filter(({ status }) => status === 200);
  assert.equal(made.length, 5);
  const path = `/folders/${made[0]?.result.id}`;
  done(await user.call('PUT', `${path}?delete=true`));
  const answer = await create('h');
  refused(answer, 400, 'too_many_folders');
  assert.match(answer.message, /limits\.max_folders/);
  done(await user.call('DELETE', path));
  done(await create('h'));
});

test('a client that refreshes forever keeps two tokens, and an old one still ends its sign-in', async () => {
  const user = await service.user();
  const { users } = service.service.tenants;
  const refresh = async (token: string) =>
    service.client.post<{ refresh_token: string }>('/api/v1/auth/refresh', {
      json: { refresh_token: token },
    });
  const { refresh_token: first } = await users.issueTokens(user.id);
  let token = first;
  for (let n = 0; n < 12; n += 1) token = done(await refresh(token)).refresh_token;
  const kept = await row<{ tokens: number }>(
    service.db,
    `SELECT max(tokens)::int AS tokens FROM (
       SELECT count(*) AS tokens FROM refresh_tokens WHERE user_id = $1 GROUP BY family_id
     ) AS family`,
    [user.id],
  );
  assert.equal(kept?.tokens, 2);
  refused(await refresh(first), 401, 'token_revoked');
  refused(await refresh(token), 401, 'token_revoked');
});

test('images of a user are limited, trash included, even if uploaded concurrently; edits are not', async () => {
  const user = await service.user();
  const as = ['User', user.token] as const;
  const picture = await jpeg({ width: 40, height: 30 });
  const send = (path = user.images) =>
    service.client.post<{ id: string }>(path, { as, form: { image_data: filePart(picture) } });
  const answers = await Promise.all(Array.from({ length: 6 }, () => send()));
  const made = answers.filter(({ status }) => status === 200);
  assert.equal(made.length, 3);
  const image = `${user.images}/${made[0]?.result.id}`;
  done(await service.client.put(image, { as, form: { delete: 'True' } }));
  const answer = await send();
  refused(answer, 400, 'too_many_images');
  assert.match(answer.message, /limits\.max_images/);
  done(await send(`${user.images}/${made[1]?.result.id}/filedata`));

  const upload = openUpload(service.client.base, user, picture);
  upload.write(0, 10);
  const early = await upload.answer; // before the rest has come
  assert.equal(early.error?.code, 'too_many_images');
  upload.request.destroy();
});
