import assert from 'node:assert/strict';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../testkit/temporary.js';
import { DirectoryRepository } from './directory-repository.js';

test('nothing is removed, written, or read where a symbolic link leads', async (t) => {
  const root = await temporaryDirectory('linked');
  t.after(() => rm(root, { recursive: true }));
  const [outside, place] = [join(root, 'outside'), join(root, 'backup')];
  await mkdir(join(outside, 'a'), { recursive: true });
  await writeFile(join(outside, 'a/original.jpg'), 'x');
  const repository = await DirectoryRepository.open(place, true);
  await mkdir(join(place, 'objects'));
  await symlink(join(outside, 'a'), join(place, 'objects/a'));
  const path = 'objects/a/original.jpg';
  await assert.rejects(repository.remove([path]), /is a symbolic link to/);
  await assert.rejects(repository.put(path, join(outside, 'a/original.jpg')), /symbolic link/);
  assert.equal(await repository.read(path), undefined);
  assert.deepEqual(await readdir(outside, { recursive: true }), ['a', 'a/original.jpg']);
});
