import assert from 'node:assert/strict';
import { test } from 'node:test';
import { magicOf } from './sniff.js';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const box = (major: string, ...others: string[]): Buffer => {
  const text = `ftyp${major}\0\0\0\0${others.join('')}`;
  const size = Buffer.alloc(4);
  size.writeUInt32BE(text.length + 4);
  return Buffer.concat([size, latin(text), latin('\0\0\0\x08free')]);
};

for (const [what, head, expected] of [
  ['JPEG', latin('\xff\xd8\xff\xe0'), 'jpeg'],
  ['PNG', latin('\x89PNG\r\n\x1a\n'), 'png'],
  ['WebP', latin('RIFF\0\0\0\0WEBPVP8 '), 'webp'],
  ['GIF', latin('GIF89a'), 'gif'],
  ['little-endian TIFF', latin('II*\0'), 'tiff'],
  ['big-endian TIFF', latin('MM\0*'), 'tiff'],
  ['HEIC', box('heic', 'mif1'), 'isobmff'],
  ['a brand among the compatible ones', box('abcd', 'efgh', 'avif'), 'isobmff'],
  ['MP4', box('isom', 'mp42'), undefined],
  ['a brand in the place of the version', latin('\0\0\0\x14ftypisomheicmp42'), undefined],
  ['a brand after the box', Buffer.concat([box('isom'), latin('heic')]), undefined],
  ['JPEG-XL', latin('\xff\x0a'), undefined],
  ['JPEG-XL in boxes', latin('\0\0\0\x0cJXL \r\n\x87\n'), undefined],
  ['JPEG 2000', latin('\0\0\0\x0cjP  \r\n\x87\n'), undefined],
  ['BMP', latin('BM\x36\0\0\0'), undefined],
  ['WAV', latin('RIFF\0\0\0\0WAVEfmt '), undefined],
  ['PDF', latin('%PDF-1.7'), undefined],
  ['SVG', latin('<svg xmlns="http://www.w3.org/2000/svg"/>'), undefined],
  ['nothing', Buffer.alloc(0), undefined],
] as const) {
  test(`${what} is ${expected ?? 'rejected'}`, () => assert.equal(magicOf(head), expected));
}
