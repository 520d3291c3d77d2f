import type { Request } from 'express';
import { contentTypeOf } from '../store/content-type.js';
import type { ByteRange, ObjectStat } from '../store/port.js';
import type { Validators } from './conditions.js';

/** Objects never change, so the key says all that a strong tag has to. */
export function validatorsOf(key: string, found: ObjectStat): Validators {
  return { etag: `"${key}"`, lastModified: found.modifiedAt.toUTCString() };
}

/** Headers of 200, 206 and 304. A copy may be kept as long as its address is valid. */
export function cacheHeaders(validators: Validators, secondsLeft: number): Record<string, string> {
  return {
    ETag: validators.etag,
    'Last-Modified': validators.lastModified,
    'Cache-Control': `private, max-age=${secondsLeft}, immutable`,
  };
}

/**
 * Headers of 200 and 206. The bytes come from strangers: a browser shall take them for the image
 * that they are, run nothing in them, and still show them on the platforms' own pages.
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

/**
 * The one range that a GET asks for; undefined stands for the whole object, which also answers what
 * a server may ignore (RFC 9110, 14.2): several ranges, other units, malformed headers, HEAD.
 */
export function rangeOf(req: Request, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  if (req.method !== 'GET') return undefined;
  const ranges = req.range(bytes);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === undefined || ranges === -2) return undefined;
  return ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined;
}
