import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { done, refused } from '../../testkit/expect.js';
import { sha256 } from '../../testkit/fetch.js';
import type { Folder, UploadSet } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { World } from '../../testkit/world.js';
import type { Member } from '../../testkit/world.js';

const service = await testService(
  { after },
  {
    'idempotency.max_per_owner': '3',
    'upload_sets.max_per_user': '3',
    'upload_sets.max_files_per_user': '50',
  },
);
const world = new World(service.client.base, await service.adminToken());

const hashesOf = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => sha256(Buffer.from(`${name} ${n}`)));

const announce = (user: Member, name: string, count = 1) =>
  user.call<UploadSet>('POST', '/upload-sets', { json: { hashes: hashesOf(name, count) } });

const setsOf = async (user: Member): Promise<number> =>
  done(await user.get<{ total_count: number }>('/upload-sets')).total_count;

describe('upload sets of a user', () => {
  test('are limited, even if created concurrently; deleting one allows another', async () => {
    const user = await world.user();
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((name) => announce(user, name)),
    );
    const made = answers.filter(({ status }) => status === 200);
    assert.equal(made.length, 3);
    for (const answer of answers) {
      if (answer.status === 200) continue;
      refused(answer, 400, 'too_many_upload_sets');
      assert.deepEqual(answer.error?.details, { sets: 3, files: 3, max_sets: 3, max_files: 50 });
      assert.match(answer.message, /upload_sets\.max_per_user .*DELETE …\/upload-sets/);
    }
    assert.equal(await setsOf(user), 3);
    assert.equal((await announce(await world.user(), 'of somebody else')).status, 200);
    done(await user.call('DELETE', `/upload-sets/${made[0]?.result.id}`));
    done(await announce(user, 'f'));
  });

  test('may expect only a limited number of files in all', async () => {
    const user = await world.user();
    done(await announce(user, 'a', 30));
    const answer = await announce(user, 'b', 21);
    refused(answer, 400, 'too_many_upload_sets', 'hashes');
    assert.match(answer.message, /50 files .*upload_sets\.max_files_per_user .*30 already/);
    const hashes = [...hashesOf('c', 20), ...hashesOf('c', 20)]; // duplicates do not count
    done(await user.call('POST', '/upload-sets', { json: { hashes } }));
    assert.equal(await setsOf(user), 2);
  });
});

test('idempotency keys of a user are limited: known ones still work, and requests without one', async () => {
  const user = await world.user();
  const create = (title: string, key?: string) =>
    user.call<Folder>('POST', '/folders', {
      form: { title },
      ...(key && { headers: { 'Idempotency-Key': key } }),
    });
  const first = done(await create('0', 'key-0'));
  for (const n of [1, 2]) done(await create(`${n}`, `key-${n}`));
  for (const title of ['3', '4']) {
    const answer = await create(title, `key-${title}`);
    refused(answer, 429, 'rate_limited');
    assert.match(answer.message, /At most 3 .*idempotency\.max_per_owner.*without a key/);
    assert.equal(answer.headers.get('retry-after'), '60');
  }
  assert.deepEqual(done(await create('0', 'key-0')), first);
  done(await create('3'));
  assert.equal(done(await user.get<Folder[]>('/folders')).length, 4);
  const other = await world.user();
  done(
    await other.call('POST', '/folders', {
      form: { title: 'x' },
      headers: { 'Idempotency-Key': 'key-0' },
    }),
  );
});
