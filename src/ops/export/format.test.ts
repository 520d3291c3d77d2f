import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WallClock } from '../../base/time.js';
import type { ImageRecord } from '../../library/images/schemas.js';
import { imageLine } from './format.js';

test('what has yet to be read from the file is left out, so that an import reads it', () => {
  const record = { id: 'x', direction: null, camera: 'Mine', altitude_m: null, taken_at: null };
  const exported = {
    record: record as Partial<ImageRecord> as ImageRecord,
    uploadType: 'gallery',
    unread: ['direction', 'camera', 'taken_at'],
    versions: [],
  } as const;
  assert.deepEqual(
    imageLine(exported, () => '', new WallClock('UTC')),
    { id: 'x', camera: 'Mine', altitude_m: null, upload_type: 'gallery', versions: [] },
  );
});
