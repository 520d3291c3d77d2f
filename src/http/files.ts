import { Router, type Request, type Response } from 'express';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../errors/catalogue.js';
import type { ObjectBody, ObjectStore } from '../store/port.js';
import { filesPrefix, type SignedUrls } from '../store/signed-url.js';
import { isClientGone, disconnectSignal } from './client-gone.js';
import { isFresh, rangeApplies } from './conditional-request.js';
import { cacheHeaders, contentHeaders, validatorsOf } from './file-headers.js';
import { resolveRange } from './range.js';

export interface FilesRouterParts {
  readonly store: Pick<ObjectStore, 'get' | 'stat'>;
  readonly verifier: Pick<SignedUrls, 'verify'>;
}

const conditional = ['range', 'if-none-match', 'if-modified-since'];

/**
 * Serves signed URLs (GET, HEAD). Errors: `forbidden` for a tampered or expired URL, `not_found`
 * for an object that no longer exists, `range_not_satisfiable`, and `unavailable` when the store
 * fails.
 *
 * Express's own `send` supports ranges and conditional requests too, but it reads from a path. It
 * would bypass the store, so it could not serve a bucket, and it would resolve a file twice by
 * name, where the store uses a single descriptor.
 */
export function filesRouter({ store, verifier }: FilesRouterParts): Router {
  const router = Router();
  router.get(`${filesPrefix}*key`, async (req, res) => {
    // Not req.params: keys contain no characters that need encoding, so an encoded one was not
    // signed.
    const key = req.path.slice(filesPrefix.length);
    const verdict = verifier.verify(key, req.query);
    if (verdict.state !== 'ok') {
      const message = {
        expired: 'The URL has expired.',
        tampered: 'The URL is invalid.',
      };
      throw new ServiceError('forbidden', { message: message[verdict.state] });
    }
    await answer(store, key, verdict.secondsLeft, req, res);
  });
  return router;
}

async function answer(
  store: FilesRouterParts['store'],
  key: string,
  secondsLeft: number,
  req: Request,
  res: Response,
): Promise<void> {
  // Most requests want the whole object, and for those a single file access suffices.
  if (req.method === 'GET' && !conditional.some((name) => name in req.headers)) {
    const body = (await store.get(key)) ?? gone();
    res.set(cacheHeaders(validatorsOf(key, body), secondsLeft));
    res.set(contentHeaders(key, body, undefined));
    return send(body, res);
  }
  const found = (await store.stat(key)) ?? gone();
  const validators = validatorsOf(key, found);
  if (isFresh(req.headers, validators)) {
    res.status(304).set(cacheHeaders(validators, secondsLeft)).end();
    return;
  }
  // Ranges are defined only for GET.
  const ranged = req.method === 'GET' && rangeApplies(req.headers, validators);
  const range = ranged ? resolveRange(req.headers.range, found.bytes) : undefined;
  if (range === 'unsatisfiable') {
    res.set('Content-Range', `bytes */${found.bytes}`);
    throw new ServiceError('range_not_satisfiable');
  }
  // Send nothing before the object is open, since it may be deleted at any moment.
  const body = req.method === 'HEAD' ? undefined : ((await store.get(key, range)) ?? gone());
  res.status(range ? 206 : 200).set(cacheHeaders(validators, secondsLeft));
  res.set(contentHeaders(key, found, range));
  if (!body) res.end();
  else await send(body, res);
}

function gone(): never {
  throw new ServiceError('not_found');
}

/** Sends at the client's pace. If the store fails halfway, breaks the connection. */
async function send(body: ObjectBody, res: Response): Promise<void> {
  const signal = disconnectSignal(res);
  try {
    if (body.sendTo) await body.sendTo(res, signal);
    else await pipeline(body.stream, res, { signal });
  } catch (error) {
    if (!isClientGone(error)) throw error;
  }
}
