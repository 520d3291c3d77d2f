import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parserErrorOf } from './server.js';

const refusal = (code: string): string | undefined =>
  parserErrorOf(Object.assign(new Error(code), { code }))?.code;

test('input that Node rejects gets a code of the API; a failed connection gets no response', () => {
  assert.equal(refusal('ERR_HTTP_REQUEST_TIMEOUT'), 'request_timeout');
  assert.equal(refusal('HPE_HEADER_OVERFLOW'), 'headers_too_large');
  assert.equal(refusal('HPE_CHUNK_EXTENSIONS_OVERFLOW'), 'upload_too_large');
  assert.equal(refusal('HPE_INVALID_METHOD'), 'malformed_request');
  const url = parserErrorOf(Object.assign(new Error(), { code: 'HPE_INVALID_URL' }));
  assert.match(url?.message ?? '', /percent-encoded/);
  assert.equal(refusal('ECONNRESET'), undefined);
  assert.equal(refusal('EPIPE'), undefined);
});
