import { contentTypeOf } from '../store/content-type.js';
import type { ByteRange, ObjectStat } from '../store/port.js';
import type { Validators } from './conditional-request.js';

/** Objects are immutable, so the key is a sufficient strong ETag. */
export function validatorsOf(key: string, found: ObjectStat): Required<Validators> {
  return { etag: `"${key}"`, lastModified: found.modifiedAt.toUTCString() };
}

/**
 * Headers of 200, 206, and 304, as `writeHead` takes them. A copy may be cached for as long as its
 * URL is valid.
 */
export const cacheHeaders = (
  id: string,
  validators: Required<Validators>,
  secondsLeft: number,
): string[] => [
  'X-Request-Id',
  id,
  'Cache-Control',
  `private, max-age=${secondsLeft}, immutable`,
  'X-Content-Type-Options',
  'nosniff',
  'ETag',
  validators.etag,
  'Last-Modified',
  validators.lastModified,
];

/**
 * Headers of 200 and 206. The bytes come from untrusted users: browsers must treat them only as the
 * declared image type and must not execute anything in them, but may embed them on other sites.
 */
export const contentHeaders = (key: string): string[] => [
  'Content-Type',
  contentTypeOf(key),
  'Content-Security-Policy',
  "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy',
  'cross-origin',
];

/** Headers of 200 and 206 that the sender of the bytes sets: imgstore or nginx. */
export const extentHeaders = ({ bytes }: ObjectStat, range: ByteRange | undefined): string[] => [
  'Accept-Ranges',
  'bytes',
  'Content-Length',
  String(range ? lengthOf(range) : bytes),
  ...(range ? ['Content-Range', `bytes ${range.start}-${range.end}/${bytes}`] : []),
];

export const lengthOf = ({ start, end }: ByteRange): number => end - start + 1;
