import assert from 'node:assert/strict';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Scope } from '../../../testkit/scope.js';
import { temporaryDirectory } from '../../../testkit/temporary.js';
import { DirectoryRepository } from '../backup/directory-repository.js';
import { pruneStretches } from './archive.js';

/** An archive with these stretches; of each, its number, and whether its base backup is there. */
async function archiveWith(
  scope: Scope,
  stretches: Record<string, [number?: number, base?: false]>,
) {
  const dir = await temporaryDirectory('archive');
  scope.after(() => rm(dir, { recursive: true }));
  const repository = await DirectoryRepository.open(dir, true);
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  };
  for (const [id, [number, base]] of Object.entries(stretches)) {
    const record = {
      format: 1,
      id,
      number,
      instance_id: 'i',
      imgstore: '0.4.0',
      postgresql: 17,
      architecture: 'x64',
      system_identifier: '1',
      timeline: 1,
      migrations: [],
      from: '2026-11-22T00:00:00Z',
      base: { bytes: 4, sha256: 'a'.repeat(64) },
      secrets: null,
    };
    await write(`stretches/${id}/stretch.json`, JSON.stringify(record));
    if (base !== false) await write(`stretches/${id}/base.tar.gz`, 'base');
  }
  const left = async () => (await readdir(join(dir, 'stretches'))).sort();
  return { repository, write, left };
}

test('the stretch that was begun last stays, even if the clock was set back before', async (t) => {
  const { repository, left } = await archiveWith(t, { '2026-a': [7], '2026-b': [6], '2026-c': [] });
  const { removed } = await pruneStretches(repository, 1);
  assert.deepEqual([removed, await left()], [['2026-c', '2026-b'], ['2026-a']]);
});

test('the last stretch with its base backup stays', async (t) => {
  const { repository, left } = await archiveWith(t, {
    a: [1],
    b: [2],
    c: [3, false],
    d: [4, false],
  });
  assert.deepEqual((await pruneStretches(repository, 1)).removed, ['a']);
  assert.deepEqual(await left(), ['b', 'c', 'd']);
});

test('nothing is removed while the record of a stretch cannot be read', async (t) => {
  const { repository, write, left } = await archiveWith(t, { a: [1], b: [2], c: [3] });
  await write('stretches/b/stretch.json', '{"format": 2}');
  assert.deepEqual(await pruneStretches(repository, 1), { removed: [], unreadable: ['b'] });
  assert.deepEqual(await left(), ['a', 'b', 'c']);
});
