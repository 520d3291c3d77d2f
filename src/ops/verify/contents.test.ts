import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { endBytes, isWhole } from './contents.js';

const check = (extension: string, file: Buffer): boolean =>
  isWhole(
    `a/thumb.${extension}`,
    file.subarray(0, endBytes),
    file.subarray(-endBytes),
    file.length,
  );

test('a rendition is whole if its beginning and end match its format', async () => {
  const background = { r: 9, g: 99, b: 199 };
  const blank = sharp({ create: { width: 33, height: 21, channels: 3, background } });
  const files = {
    jpg: await blank.clone().jpeg().toBuffer(),
    png: await blank.clone().png().toBuffer(),
    webp: await blank.clone().webp().toBuffer(),
  };
  for (const [extension, file] of Object.entries(files)) {
    assert.ok(check(extension, file), extension);
    for (const damaged of [
      file.subarray(0, -1),
      file.subarray(1),
      file.subarray(0, 20),
      Buffer.concat([file, file.subarray(0, 2)]),
      Buffer.alloc(file.length),
      Buffer.alloc(3),
    ]) {
      assert.ok(!check(extension, damaged), `${extension} of ${damaged.length} bytes`);
    }
  }
  assert.ok(!check('webp', files.jpg));
  assert.ok(check('avif', files.jpg), 'formats that imgstore does not produce are not checked');
});
