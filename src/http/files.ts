import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { ServiceError } from '../errors/catalogue.js';
import type { ObjectStore } from '../store/port.js';
import { filesPrefix, type SignedUrls } from '../store/signed-url.js';
import { mayAccelerate, type Accel } from './accel.js';
import { isFresh, rangeApplies } from './conditional-request.js';
import {
  cacheHeaders,
  contentHeaders,
  extentHeaders,
  lengthOf,
  validatorsOf,
} from './file-headers.js';
import { methodNotAllowed } from './method-not-allowed.js';
import { resolveRange } from './range.js';
import { sendBody } from './send-body.js';
import { pathOf, queryOf } from './target.js';

export interface FileParts {
  readonly store: Pick<ObjectStore, 'get' | 'stat'>;
  readonly verifier: Pick<SignedUrls, 'verify'>;
  /** Undefined if imgstore sends all bytes itself. */
  readonly accel?: Accel | undefined;
}

/** Answers a request for a file. @param id of the request. */
export type FileHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
) => Promise<void>;

/** Case-insensitive, like all routes. */
const filePath = /^\/files\/[^?#]/i;

export const isFilePath = (target = ''): boolean => filePath.test(target);

/**
 * Serves signed URLs (GET, HEAD) without Express, whose routing takes longer than sending a
 * thumbnail (docs/adr/0023). Errors: `forbidden` for a tampered or expired URL, `not_found` for an
 * object that no longer exists, `range_not_satisfiable`, and `unavailable` when the store fails.
 */
export function fileHandler({ store, verifier, accel }: FileParts): FileHandler {
  return async (request, response, id) => {
    // Not decoded: keys contain no characters that need encoding, so an encoded key was not signed.
    const key = pathOf(request.url).slice(filesPrefix.length);
    assertDecodable(key);
    assertMethod(request, response);
    const verdict = verifier.verify(key, parseQuery(queryOf(request.url)));
    if (verdict.state !== 'ok') {
      const message = {
        expired: 'The URL has expired.',
        tampered: 'The URL is invalid.',
      };
      throw new ServiceError('forbidden', { message: message[verdict.state] });
    }
    const exchange = { request, response, id, key, secondsLeft: verdict.secondsLeft };
    if (mayAccelerate(accel, request)) await answer(store, exchange, accel);
    else if (wantsWhole(request)) await answerWhole(store, exchange);
    else await answer(store, exchange);
  };
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

function assertMethod({ method }: IncomingMessage, response: ServerResponse): void {
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(response, 'GET, HEAD');
}

/** A request with a valid signature, and its response. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  readonly key: string;
  readonly secondsLeft: number;
}

/** Most requests want the whole object, and for those a single file access suffices. */
const wantsWhole = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers.range === undefined &&
  headers['if-none-match'] === undefined &&
  headers['if-modified-since'] === undefined;

async function answerWhole(store: FileParts['store'], exchange: Exchange): Promise<void> {
  const { response, id, key, secondsLeft } = exchange;
  const body = (await store.get(key)) ?? gone();
  const headers = cacheHeaders(id, validatorsOf(key, body), secondsLeft);
  headers.push(...contentHeaders(key), ...extentHeaders(body, undefined));
  await sendBody(body, body.bytes, response, 200, headers);
}

/** @param accel for a body that nginx may send. */
async function answer(store: FileParts['store'], exchange: Exchange, accel?: Accel): Promise<void> {
  const { request, response, id, key, secondsLeft } = exchange;
  const found = (await store.stat(key)) ?? gone();
  const validators = validatorsOf(key, found);
  const headers = cacheHeaders(id, validators, secondsLeft);
  if (isFresh(request.headers, validators)) {
    response.writeHead(304, headers).end();
    return;
  }
  // Ranges are defined only for GET.
  const ranged = request.method === 'GET' && rangeApplies(request.headers, validators);
  const range = ranged ? resolveRange(request.headers.range, found.bytes) : undefined;
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${found.bytes}`);
    throw new ServiceError('range_not_satisfiable');
  }
  headers.push(...contentHeaders(key));
  // nginx rejects some range forms that imgstore answers with the whole object, so imgstore sends
  // those.
  if (accel && (range !== undefined || request.headers.range === undefined)) {
    headers.push('X-Accel-Redirect', `${accel.location}${key}`, 'Content-Length', '0');
    response.writeHead(200, headers).end();
    return;
  }
  headers.push(...extentHeaders(found, range));
  if (request.method === 'HEAD') {
    response.writeHead(200, headers).end();
    return;
  }
  // Send nothing before the object is open, since it may be deleted at any time.
  const body = (await store.get(key, range)) ?? gone();
  const bytes = range ? lengthOf(range) : found.bytes;
  await sendBody(body, bytes, response, range ? 206 : 200, headers);
}

function gone(): never {
  throw new ServiceError('not_found');
}
