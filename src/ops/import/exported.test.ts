import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../testkit/temporary.js';
import { exportFiles } from '../export/format.js';
import { imagesOf } from './exported.js';

const none = { lat: null, lng: null, address_road: null, address_land: null };
const line = (file: string): string =>
  JSON.stringify({
    id: '01a2052b-474e-73a7-9fbd-7b21d3001c48',
    folder_id: null,
    ...none,
    address_land_number: null,
    building_name: null,
    address_sort: null,
    address_det: null,
    created_at: '20240506_070809',
    delete_at: null,
    is_signed: false,
    is_shared: false,
    has_det: null,
    upload_type: 'gallery',
    memos: null,
    customs: null,
    versions: [{ version: 0, file, hash: 'x', bytes: 1 }],
  });

test('an export names only files of its own', async (t) => {
  const dir = await temporaryDirectory('exported');
  t.after(() => rm(dir, { recursive: true }));
  const read = async (file: string): Promise<string[]> => {
    await writeFile(join(dir, exportFiles.images), `${line(file)}\n`);
    const found: string[] = [];
    for await (const { versions } of imagesOf(dir)) found.push(versions[0]?.file ?? '');
    return found;
  };
  for (const file of ['originals/a/b.jpg', '..a.jpg', '사진 1.jpg']) {
    assert.deepEqual(await read(file), [file]);
  }
  for (const file of ['/etc/x.jpg', '../x.jpg', 'a/../../x.jpg', 'a/..', './x', 'a\n.jpg', '']) {
    await assert.rejects(read(file), /is not the path of a file in the export/, file);
  }
});
