import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ServiceError } from '../base/errors/catalogue.js';
import {
  announcedLength,
  assertVersion,
  meantMethod,
  unavailableCode,
  readMetadata,
  sentChecksum,
  sentOffset,
  uploadHeaders,
} from './tus.js';

const invalid = (field: string) => (error: unknown) =>
  error instanceof ServiceError && error.code === 'invalid_field' && error.field === field;

describe('headers of tus', () => {
  test('a length is a positive number that the server accepts', () => {
    assert.equal(announcedLength({ 'upload-length': '1' }, 10), 1);
    assert.equal(announcedLength({ 'upload-length': '10' }, 10), 10);
    for (const length of [
      undefined,
      '',
      '0',
      '-1',
      '1.5',
      '1e1',
      ' 1',
      '0x1',
      '1, 1',
      '9'.repeat(16),
    ]) {
      assert.throws(
        () => announcedLength({ 'upload-length': length }, 1e20),
        invalid('Upload-Length'),
        length,
      );
    }
    const isTooLarge = (error: unknown) =>
      error instanceof ServiceError && error.code === 'upload_too_large';
    assert.throws(() => announcedLength({ 'upload-length': '11' }, 10.5), isTooLarge);
    const joined = { 'upload-length': '1', 'upload-concat': 'partial' };
    assert.throws(() => announcedLength(joined, 10), invalid('Upload-Concat'));
  });

  test('an offset may be 0', () => {
    assert.equal(sentOffset({ 'upload-offset': '0' }), 0);
    for (const offset of [undefined, '', '-0', 'x']) {
      assert.throws(() => sentOffset({ 'upload-offset': offset }), invalid('Upload-Offset'));
    }
  });

  test('a checksum is a whole SHA-256', () => {
    const digest = Buffer.alloc(32, 7);
    const sent = (header: string) => sentChecksum({ 'upload-checksum': header });
    assert.deepEqual(sent(`sha256 ${digest.toString('base64')}`), digest);
    assert.equal(sentChecksum({}), undefined);
    const short = Buffer.alloc(31).toString('base64');
    for (const header of ['', 'sha256', `sha256 ${short}`, `sha1 ${digest.toString('base64')}`]) {
      assert.throws(() => sent(header), invalid('Upload-Checksum'), header);
    }
    const trailing = `sha256 ${digest.toString('base64')} x`;
    assert.throws(() => sent(trailing), invalid('Upload-Checksum'));
  });

  test('metadata are pairs, a name alone an empty value', () => {
    const read = (header: string) =>
      Object.fromEntries(
        [...readMetadata(header)].map(([name, value]) => [name, value.toString()]),
      );
    assert.deepEqual(read(''), {});
    assert.deepEqual(read('a YQ==, b,c Yw=='), { a: 'a', b: '', c: 'c' });
    assert.deepEqual(read('__proto__ YQ=='), JSON.parse('{"__proto__":"a"}'));
    const many = Array.from({ length: 201 }, (_, n) => `n${n}`).join(',');
    for (const header of [
      ',',
      'a YQ==,',
      ' a b c',
      'a YQ',
      'a Y*==',
      'a YQ==,a YQ==',
      'ä YQ==',
      many,
    ]) {
      assert.throws(() => readMetadata(header), invalid('Upload-Metadata'), header);
    }
  });

  test('another version is refused with the one that is understood', () => {
    const answered: Record<string, string> = {};
    const assertSent = (sent: string | undefined): void =>
      assertVersion({
        headers: { 'tus-resumable': sent },
        set: (headers) => void Object.assign(answered, headers),
      });
    assertSent('1.0.0');
    assert.deepEqual(answered, {});
    for (const sent of [undefined, '0.2.2', '1.0.0, 1.0.0']) {
      assert.throws(() => assertSent(sent), ServiceError);
    }
    assert.deepEqual(answered, { 'Tus-Version': '1.0.0' });
  });

  test('answers have what is known', () => {
    const at = new Date('2026-01-02T03:04:05Z');
    assert.deepEqual(uploadHeaders({ offset: 5, expiresAt: at, imageId: null }), {
      'Upload-Offset': '5',
      'Upload-Expires': 'Fri, 02 Jan 2026 03:04:05 GMT',
    });
    assert.deepEqual(uploadHeaders({ offset: 5, expiresAt: undefined, imageId: 'i' }), {
      'Upload-Offset': '5',
      'Upload-Image-Id': 'i',
    });
  });
});

test('a method is overridden for uploads alone, and from POST alone', () => {
  const meant = (method: string, url: string, override: string | undefined) =>
    meantMethod({ method, url, headers: { 'x-http-method-override': override } });
  const upload = '/api/v1/users/u/uploads/x';
  for (const [method, url, override, expected] of [
    ['POST', upload, 'PATCH', 'PATCH'],
    ['POST', `${upload}/?a=b`, 'delete', 'DELETE'],
    ['POST', upload, 'HEAD', 'HEAD'],
    ['POST', upload, 'PUT', 'POST'],
    ['POST', upload, undefined, 'POST'],
    ['GET', upload, 'DELETE', 'GET'],
    ['POST', '/api/v1/users/u/images/x', 'DELETE', 'POST'],
    ['POST', '/api/v1/users/u/uploads', 'PATCH', 'POST'],
    ['POST', `${upload}/y`, 'PATCH', 'POST'],
  ] as const) {
    assert.equal(meant(method, url, override), expected, `${method} ${url} ${override}`);
  }
});

test('what is unavailable is "later" for whoever asks for an offset', () => {
  const upload = '/api/v1/users/u/uploads/x';
  for (const [method, url, code] of [
    ['HEAD', upload, 'upload_locked'],
    ['HEAD', `${upload}/`, 'upload_locked'],
    ['PATCH', upload, 'unavailable'],
    ['GET', upload, 'unavailable'],
    ['HEAD', '/api/v1/users/u/images/x', 'unavailable'],
  ] as const) {
    assert.equal(unavailableCode({ method, url }), code, `${method} ${url}`);
  }
});
