import { contentTypeOf } from '../store/content-type.js';
import type { ByteRange, ObjectStat } from '../store/port.js';
import type { Validators } from './conditional-request.js';

/** Objects are immutable, so the key is a sufficient strong ETag. */
export function validatorsOf(key: string, found: ObjectStat): Validators {
  return { etag: `"${key}"`, lastModified: found.modifiedAt.toUTCString() };
}

/** Headers of 200, 206, and 304. A copy may be cached for as long as its URL is valid. */
export function cacheHeaders(validators: Validators, secondsLeft: number): Record<string, string> {
  return {
    ETag: validators.etag,
    'Last-Modified': validators.lastModified,
    'Cache-Control': `private, max-age=${secondsLeft}, immutable`,
  };
}

/**
 * Headers of 200 and 206. The bytes come from untrusted users: browsers should treat them only as
 * the declared image type and run nothing in them, but still be able to embed them on other sites.
 */
export function contentHeaders(
  key: string,
  found: ObjectStat,
  range: ByteRange | undefined,
): Record<string, string> {
  const length = range ? range.end - range.start + 1 : found.bytes;
  return {
    'Content-Type': contentTypeOf(key),
    'Content-Length': String(length),
    'Accept-Ranges': 'bytes',
    ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${found.bytes}` }),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
}
