import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../base/errors/catalogue.js';
import { guarded, ignore } from '../base/guarded.js';
import { secondMs, bytesPerMegabyte } from '../base/units.js';
import { FairSemaphore } from '../database/fairness.js';
import { parseFullAddress, type VersionId } from '../store/object-key.js';
import type { ObjectStore, ObjectBody } from '../store/port.js';
import type { RecentObject } from '../store/recent-objects.js';
import { filesPrefix, type SignedUrls } from '../store/signed-url.js';
import type { EndedUrls } from './auth/ended-urls.js';
import { disconnectSignal, isClientGone } from './streamed-response.js';
import {
  isFresh,
  cacheHeaders,
  contentHeaders,
  extentHeaders,
  lengthOf,
  validatorsOf,
  requestedRange,
} from './ranged-response.js';
import { methodNotAllowed, responseHeaders } from './envelope.js';
import { pathOf, queryOf } from './host.js';

/** Lets the nginx in front send files itself, straight from the local store. */
export interface Accel {
  /** The internal nginx location of the store's folder. */
  readonly location: string;
  /** Whether all objects are in the local store now. */
  readonly isLocal: () => boolean;
}

/**
 * Whether the request has the header that nginx, as configured by `imgstore proxy-config`, sets on
 * every request, overriding the client's (the convention of Rack::Sendfile). Without this check, a
 * client that bypasses nginx would receive an empty response.
 */
const acceptsAccel = (headers: IncomingMessage['headers']): boolean =>
  headers['x-sendfile-type'] === 'X-Accel-Redirect';

/** nginx would evaluate these conditions against its own ETag, which differs from ours. */
const hasPreconditions = (headers: IncomingMessage['headers']): boolean =>
  headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined;

/** Whether nginx may send the body of the response. */
const mayAccelerate = (
  accel: Accel | undefined,
  { method, headers }: IncomingMessage,
): accel is Accel =>
  accel !== undefined &&
  method === 'GET' &&
  acceptsAccel(headers) &&
  !hasPreconditions(headers) &&
  accel.isLocal();

/** Up to this size a body is read and sent at once: thumbnails and most display renditions. */
const bufferedBytes = 256 * 1024;

/**
 * Bytes that such bodies may hold in memory in total. Beyond that, for example when many clients do
 * not read, they are streamed as well.
 */
const maxHeldBytes = 64 * bytesPerMegabyte;

let heldBytes = 0;

/**
 * Sends a response at the client's pace. Closes the connection if the store fails halfway.
 *
 * @param bytes length of the body.
 * @param headers as `writeHead` takes them.
 */
async function sendBody(
  body: ObjectBody,
  bytes: number,
  response: ServerResponse,
  status: number,
  headers: string[],
): Promise<void> {
  if (response.destroyed) body.stream.destroy();
  else if (bytes <= bufferedBytes && heldBytes + bytes <= maxHeldBytes && body.read) {
    heldBytes += bytes;
    const release = guarded(ignore, () => (heldBytes -= bytes));
    response.once('close', release);
    const whole = await body.read();
    response.writeHead(status, headers).end(whole);
  } else {
    response.writeHead(status, headers);
    await sendStreamed(body, response);
  }
}

async function sendStreamed(body: ObjectBody, response: ServerResponse): Promise<void> {
  const signal = disconnectSignal(response);
  try {
    if (body.sendTo) await body.sendTo(response, signal);
    else await pipeline(body.stream, response, { signal });
  } catch (error) {
    if (!isClientGone(error)) throw error;
  }
}

/** The objects with whole pictures, which may have to be made first. */
export interface FullObjects {
  /**
   * @param signal aborted when the client has disconnected.
   * @param caller whose share it takes; by default, that of the user whose picture it is. @throws ServiceError for the client, or
   * what `signal` is aborted with.
   */
  keyOf(version: VersionId, signal: AbortSignal, caller?: string): Promise<string>;
  /** The URL of an object that the store itself serves; undefined if it has to be sent here. */
  directUrl(key: string): string | undefined;
}

/** Where files come from. */
interface FileSource extends Pick<ObjectStore, 'get' | 'stat'> {
  /** What needs no waiting. */
  readonly peek?: (key: string) => RecentObject | undefined;
}

export interface FileParts {
  readonly store: FileSource;
  readonly verifier: Pick<SignedUrls, 'verify'>;
  /** Undefined if imgstore sends all bytes itself. */
  readonly accel?: Accel | undefined;
  readonly endedUrls?: Pick<EndedUrls, 'refresh'>;
  readonly shares: FairSemaphore;
  readonly full?: FullObjects;
}

/** Connections to S3 that downloads may take, of the 128 to an endpoint (src/store/s3/bucket.ts). */
const downloadsFromS3 = 64;
/** How long a request for a file waits for others of the same owner at most, in milliseconds. */
const fileWaitMs = 10 * secondMs;

/**
 * How many files are sent at once, counted by the user whose they are: all together take half of the
 * connections of clients, so that the API stays reachable, and those of one user an eighth of that. As
 * many of them may wait. @param throughS3 whether their bytes come from S3 through the service.
 */
export function fileShares(maxConnections: number, throughS3: boolean): FairSemaphore {
  const ofClients = Math.max(8, Math.floor(maxConnections / 2));
  const total = throughS3 ? Math.min(ofClients, downloadsFromS3) : ofClients;
  const perCaller = Math.max(4, Math.floor(total / 8));
  return new FairSemaphore({ total, perCaller, waiting: perCaller, waitMs: fileWaitMs });
}

/** Answers a request for a file. @param id of the request. @returns nothing if it did so at once. */
export type FileHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
) => Promise<void> | undefined;

/** Case-insensitive, like all routes. */
const filePath = /^\/files\/[^?#]/i;

export const isFilePath = (target = ''): boolean => filePath.test(target);

/**
 * Serves signed URLs (GET, HEAD) without Express, whose routing takes longer than sending a
 * thumbnail (docs/adr/0012). Errors: `forbidden` for a tampered or expired URL, `not_found` for an
 * object that no longer exists, `range_not_satisfiable`, and `unavailable` when the store fails; for
 * whole pictures, those of `FullObjects`, too.
 */
export function fileHandler(parts: FileParts): FileHandler {
  const { verifier, endedUrls, full } = parts;
  const serve: FileHandler = (request, response, id) => {
    // Not decoded: keys contain no characters that need encoding, so an encoded key was not signed.
    const key = pathOf(request.url).slice(filesPrefix.length);
    assertDecodable(key);
    assertMethod(request, response);
    const verdict = verifier.verify(key, parseQuery(queryOf(request.url)));
    if (verdict.state !== 'ok') {
      const message = {
        expired: 'The URL has expired.',
        tampered: 'The URL is invalid.',
        ended: 'The URL is no longer valid: access to the file has been suspended or revoked.',
      };
      throw new ServiceError('forbidden', { message: message[verdict.state] });
    }
    const { secondsLeft, name } = verdict;
    const exchange = { request, response, id, key, secondsLeft, name };
    return answeredAtOnce(parts, exchange) ? undefined : findAndSend(parts, full, exchange);
  };
  return (request, response, id) => {
    const fresh = endedUrls?.refresh();
    return fresh ? fresh.then(() => serve(request, response, id)) : serve(request, response, id);
  };
}

async function findAndSend(
  parts: FileParts,
  full: FullObjects | undefined,
  exchange: FileExchange,
): Promise<void> {
  const { key: address, response, id } = exchange;
  const key = await findObject(full, address, response);
  if (key === undefined) return;
  const url = key === address ? undefined : full?.directUrl(key);
  if (url !== undefined) redirect(response, id, url);
  else await sendFile(parts, { ...exchange, key });
}

/** Answers a request for a file that may be sent. */
export async function sendFile(
  parts: Pick<FileParts, 'store' | 'shares' | 'accel'>,
  exchange: FileExchange,
): Promise<void> {
  const { accel } = parts;
  const { request } = exchange;
  if (mayAccelerate(accel, request)) await answer(parts, exchange, accel);
  else if (wantsWhole(request)) await answerWhole(parts, exchange);
  else await answer(parts, exchange);
}

/**
 * The key of the object at an address: another one for a whole picture alone, which is made if need be.
 * @param caller as in `FullObjects`.
 * @returns undefined if the client has disconnected in the meantime.
 */
export async function findObject(
  full: FullObjects | undefined,
  address: string,
  response: ServerResponse,
  caller?: string,
): Promise<string | undefined> {
  const version = full && parseFullAddress(address);
  if (!version) return address;
  try {
    return await full.keyOf(version, disconnectSignal(response), caller);
  } catch (error) {
    if (!response.destroyed) throw error;
    return undefined;
  }
}

/** Not to be cached, since the signature in the URL may expire before this one. */
function redirect(response: ServerResponse, id: string, url: string): void {
  const headers = { 'X-Request-Id': id, ...responseHeaders, Location: url };
  response.writeHead(302, headers).end();
}

/** @throws ServiceError `invalid_field`, as for the paths that Express routes. */
function assertDecodable(key: string): void {
  try {
    if (key.includes('%')) decodeURIComponent(key);
  } catch (cause) {
    const message = 'The request is malformed (Bad Request).';
    throw new ServiceError('invalid_field', { message, cause });
  }
}

export function assertMethod({ method }: IncomingMessage, response: ServerResponse): void {
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(response, 'GET, HEAD');
}

/** A request for a file that may be sent, and its response. */
export interface FileExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  readonly key: string;
  readonly secondsLeft: number;
  /** Under which clients should save the file. */
  readonly name?: string | undefined;
  /** In place of the key, for those who must not know it. */
  readonly etag?: string;
  /** Besides the usual ones, of 200 and 206. */
  readonly headers?: readonly string[];
  /** Whose share it takes; by default, that of the user whose file it is. */
  readonly caller?: string;
}

/** Most requests want the whole object, and for those a single file access suffices. */
const wantsWhole = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers.range === undefined &&
  headers['if-none-match'] === undefined &&
  headers['if-modified-since'] === undefined &&
  !hasPreconditions(headers);

const contentHeadersOf = ({ key, name, headers = [] }: FileExchange): string[] => [
  ...contentHeaders(key, name),
  ...headers,
];

type Source = Pick<FileParts, 'store' | 'shares'>;

/** Lets nginx send the body. @param headers of the response. */
function handOver(
  response: ServerResponse,
  headers: string[],
  { location }: Accel,
  key: string,
): void {
  headers.push('X-Accel-Redirect', `${location}${key}`, 'Content-Length', '0');
  response.writeHead(200, headers).end();
}

/**
 * Answers what needs no waiting: that the client has the file, a file that nginx sends, or a small one
 * whose bytes are kept, one buffer for all who read it. @returns whether it did.
 */
function answeredAtOnce(
  { store, accel }: Pick<FileParts, 'store' | 'accel'>,
  exchange: FileExchange,
): boolean {
  const { request, response, id, key, secondsLeft, etag = key } = exchange;
  const known = store.peek?.(key);
  if (!known || request.method !== 'GET' || request.headers.range !== undefined) return false;
  const validators = validatorsOf(etag, known);
  const headers = cacheHeaders(id, validators, secondsLeft);
  if (isFresh(request.headers, validators)) {
    response.writeHead(304, headers).end();
    return true;
  }
  if (mayAccelerate(accel, request)) {
    headers.push(...contentHeadersOf(exchange));
    handOver(response, headers, accel, key);
    return true;
  }
  const { content } = known;
  if (!content) return false;
  headers.push(...contentHeadersOf(exchange), ...extentHeaders(known, undefined));
  response.writeHead(200, headers).end(content);
  return true;
}

async function answerWhole({ store, shares }: Source, exchange: FileExchange): Promise<void> {
  const { response, id, key, secondsLeft, etag = key } = exchange;
  if (!(await takesShare(shares, exchange))) return;
  const body = (await store.get(key)) ?? gone();
  const headers = cacheHeaders(id, validatorsOf(etag, body), secondsLeft);
  headers.push(...contentHeadersOf(exchange), ...extentHeaders(body, undefined));
  await sendBody(body, body.bytes, response, 200, headers);
}

/** @param accel for a body that nginx may send. */
async function answer(
  { store, shares }: Source,
  exchange: FileExchange,
  accel?: Accel,
): Promise<void> {
  const { request, response, id, key, secondsLeft, etag = key } = exchange;
  const found = (await store.stat(key)) ?? gone();
  const validators = validatorsOf(etag, found);
  const headers = cacheHeaders(id, validators, secondsLeft);
  if (isFresh(request.headers, validators)) {
    response.writeHead(304, headers).end();
    return;
  }
  const range = requestedRange(request, response, validators, found.bytes);
  headers.push(...contentHeadersOf(exchange));
  // nginx rejects some range forms that imgstore answers with the whole object, so imgstore sends
  // those.
  if (accel && (range !== undefined || request.headers.range === undefined)) {
    handOver(response, headers, accel, key);
    return;
  }
  headers.push(...extentHeaders(found, range));
  if (request.method === 'HEAD') {
    response.writeHead(200, headers).end();
    return;
  }
  if (!(await takesShare(shares, exchange))) return;
  // Send nothing before the object is open, since it may be deleted at any time.
  const body = (await store.get(key, range)) ?? gone();
  const bytes = range ? lengthOf(range) : found.bytes;
  await sendBody(body, bytes, response, range ? 206 : 200, headers);
}

/** The user whose file it is: nobody knows who the bearer of a URL is. */
const ownerOf = (key: string): string => key.slice(37, 73);

/**
 * Takes a place among the files that are sent, until the response has been read. @returns false if the
 * client disconnected in the meantime. @throws ServiceError `unavailable`.
 */
async function takesShare(
  shares: FairSemaphore,
  { key, response, caller = ownerOf(key) }: FileExchange,
): Promise<boolean> {
  const turn = shares.acquire(caller);
  if (turn) await turn;
  const release = guarded(ignore, () => shares.release(caller));
  if (response.destroyed) release();
  // Node warns of the eleventh listener; streaming from S3 adds ten already.
  else response.setMaxListeners(16).once('close', release);
  return !response.destroyed;
}

function gone(): never {
  throw new ServiceError('not_found');
}
