import type { ByteRange } from '../store/port.js';

/** One range: `bytes=FIRST-LAST`, `bytes=FIRST-` or `bytes=-SUFFIX`. */
const oneRange = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * The byte range of an object of size `bytes` that a Range header requests. Undefined stands for
 * the whole object, also for headers that a server may ignore (RFC 9110, 14.2): several ranges,
 * other units, malformed headers.
 *
 * Express's `req.range` treats a suffix longer than the object as unsatisfiable; it actually means
 * the whole object.
 */
export function resolveRange(
  header: string | undefined,
  bytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = oneRange.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const suffix = Math.min(Number(last), bytes);
    return suffix === 0 ? 'unsatisfiable' : { start: bytes - suffix, end: bytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= bytes) return 'unsatisfiable';
  return { start, end: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) };
}
