import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { assertAccounts } from './accounts.js';
import { ownService } from './service.js';
import { temporaryDirectory } from './temporary.js';

const service = await ownService({ after });
const album = await service.user();
const image = await album.upload();

describe('the accounts', () => {
  test('agree after an upload', () => assertAccounts(service));

  const faults: [string, string, string, RegExp][] = [
    [
      'a wrong counter',
      'UPDATE users SET active_bytes = active_bytes + 1',
      'UPDATE users SET active_bytes = active_bytes - 1',
      /counters/,
    ],
    [
      'a wrong ledger',
      'UPDATE usage_events SET stored_bytes = stored_bytes + 1',
      'UPDATE usage_events SET stored_bytes = stored_bytes - 1',
      /ledger/,
    ],
    [
      'an image that differs from its version',
      `UPDATE images SET hash = '\\x00'`,
      'UPDATE images SET hash = (SELECT hash FROM image_versions)',
      /differ from their versions/,
    ],
    [
      'a missing object',
      `UPDATE image_versions SET thumb_extension = 'png'`,
      'UPDATE image_versions SET thumb_extension = (SELECT thumb_extension FROM images)',
      /belongs to nobody/,
    ],
  ];
  for (const [what, commit, undo, complaint] of faults) {
    test(`show ${what}`, async () => {
      await service.db.query(commit);
      await assert.rejects(assertAccounts(service), complaint);
      await service.db.query(undo);
      await assertAccounts(service);
    });
  }

  test('show an object that belongs to nobody, and one that is missing', async () => {
    const dir = await temporaryDirectory('stray');
    const path = join(dir, 'stray');
    await writeFile(path, 'stray');
    await service.service.store.put([{ key: 'a/b/c/d/original.jpg', path }]);
    await rm(dir, { recursive: true });
    await assert.rejects(assertAccounts(service), /belongs to nobody/);
    await service.service.store.delete(['a/b/c/d/original.jpg']);
    await assertAccounts(service);
    const { id, platformId } = album;
    await service.service.store.delete([
      `${platformId}/${id}/${image.id}/${image.id}/original.jpg`,
    ]);
    await assert.rejects(assertAccounts(service), /but that are missing/);
  });
});
