import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ServiceError } from '../base/errors/catalogue.js';
import { contentTypeOf, dispositionOf } from '../store/object-key.js';
import type { ByteRange, ObjectStat } from '../store/port.js';
import { acceptedCoding } from './accept.js';
import type { Exchange } from './streamed-response.js';

/** Identifies one state of a resource; header values, ready to send. */
interface Validators {
  readonly etag: string;
  readonly lastModified?: string;
}

/** Dates of HTTP: as they are sent today, and the two obsolete forms that must be understood. */
const dateForms = [
  /^[a-z]{3}, \d\d [a-z]{3} \d{4} \d\d:\d\d:\d\d GMT$/i,
  /^[a-z]{6,9}, \d\d-[a-z]{3}-\d\d \d\d:\d\d:\d\d GMT$/i,
  /^[a-z]{3} [a-z]{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/i,
];

/** NaN for anything that is none (RFC 9110, section 5.6.7): such a condition is ignored. */
function timeOf(text = ''): number {
  if (!dateForms.some((form) => form.test(text))) return NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}

const tagsIn = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];
const opaque = (tag: string): string => tag.replace(/^W\//, '');
const isWeak = (tag: string): boolean => tag.startsWith('W/');

/**
 * Evaluates the preconditions of a GET or HEAD in their order (RFC 9110, section 13.2.2).
 * @returns whether the client already has this state.
 * @throws ServiceError `precondition_failed`.
 */
export function isFresh(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const { 'if-match': wanted, 'if-none-match': known, 'if-unmodified-since': since } = headers;
  const isWanted =
    wanted === undefined
      ? since === undefined || !(timeOf(lastModified) > timeOf(since))
      : wanted.trim() === '*' || (!isWeak(etag) && tagsIn(wanted).includes(etag));
  if (!isWanted) throw new ServiceError('precondition_failed');
  if (known === undefined) {
    const asked = headers['if-modified-since'];
    return asked !== undefined && timeOf(lastModified) <= timeOf(asked);
  }
  if (known === etag || known.trim() === '*') return true;
  return tagsIn(known).some((tag) => opaque(tag) === opaque(etag));
}

/** True if a Range header applies: there is no If-Range, or it names this exact state. */
function rangeApplies(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  if (headers['if-range'] === undefined) return true;
  const condition = String(headers['if-range']);
  return condition === etag ? !isWeak(etag) : timeOf(condition) === timeOf(lastModified);
}

const compress = promisify(gzip);

/** A handler's response that is a small body, produced only if the client does not have it yet. */
export class VersionedResponse {
  constructor(
    /** Changes whenever the bytes may change; includes the quotes. */
    readonly etag: string,
    /** Undefined if there is nothing. */
    readonly make: () => Promise<Buffer | undefined>,
  ) {}
}

/**
 * Answers with the bytes, compressed if the client accepts gzip; with 204 if there are none, and
 * with 304 if the client has them.
 */
export async function sendVersioned(
  { etag, make }: VersionedResponse,
  type: string,
  { request, response }: Pick<Exchange, 'request' | 'response'>,
): Promise<void> {
  response.vary('Accept-Encoding');
  // Weak, since the same version may be compressed or not.
  const headers = { ETag: `W/${etag}`, 'Cache-Control': 'private, no-cache' };
  if (isFresh(request.headers, { etag: headers.ETag })) {
    return void response.status(304).set(headers).end();
  }
  const bytes = await make();
  response.set(headers);
  if (!bytes) return void response.status(204).end();
  const compressed = acceptedCoding(request.headers['accept-encoding'], ['gzip']) === 'gzip';
  const body = compressed ? await compress(bytes) : bytes;
  response.set({ 'Content-Type': type, 'Content-Length': String(body.length) });
  if (compressed) response.set('Content-Encoding', 'gzip');
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Objects are immutable, so the key, or what stands for it, is a sufficient strong ETag. */
export function validatorsOf(name: string, found: ObjectStat): Required<Validators> {
  return { etag: `"${name}"`, lastModified: found.modifiedAt.toUTCString() };
}

/**
 * Headers of 200, 206, and 304, as `writeHead` takes them. A copy may be cached for as long as its
 * URL is valid.
 */
export const cacheHeaders = (id: string, validators: Required<Validators>, secondsLeft: number) => [
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
 * @param name under which clients should save them.
 */
export const contentHeaders = (key: string, name?: string): string[] => [
  'Content-Type',
  contentTypeOf(key),
  ...(name === undefined ? [] : ['Content-Disposition', dispositionOf(key, name)]),
  'Content-Security-Policy',
  "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy',
  'cross-origin',
];

/** The Content-Disposition under which a file is saved (RFC 6266). */
export function attachment(name: string): string {
  const plain = name.replace(/[^ !#-[\]-~]/gu, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`;
}

/** Headers of 200 and 206 that the sender of the bytes sets: imgstore or nginx. */
export const extentHeaders = ({ bytes }: ObjectStat, range: ByteRange | undefined): string[] => [
  'Accept-Ranges',
  'bytes',
  'Content-Length',
  String(range ? lengthOf(range) : bytes),
  ...(range ? ['Content-Range', `bytes ${range.start}-${range.end}/${bytes}`] : []),
];

export const lengthOf = ({ start, end }: ByteRange): number => end - start + 1;

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
function resolveRange(
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

/**
 * The range that a request asks for, of `bytes`; undefined for all of them. Ranges are defined only
 * for GET. @throws ServiceError `range_not_satisfiable`.
 */
export function requestedRange(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  validators: Validators,
  bytes: number,
): ByteRange | undefined {
  if (method !== 'GET' || !rangeApplies(headers, validators)) return undefined;
  const range = resolveRange(headers.range, bytes);
  if (range !== 'unsatisfiable') return range;
  response.setHeader('Content-Range', `bytes */${bytes}`);
  throw new ServiceError('range_not_satisfiable');
}
