import { Router, type Request, type Response } from 'express';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../errors/catalogue.js';
import type { ObjectBody, ObjectStore } from '../store/port.js';
import { filesPrefix, type SignedAddresses } from '../store/signed-url.js';
import { isClientGone, signalOf } from './client-gone.js';
import { isFresh, rangeApplies } from './conditional-request.js';
import { cacheHeaders, contentHeaders, validatorsOf } from './file-headers.js';
import { resolveRange } from './range.js';

export interface FilesRouterParts {
  readonly store: Pick<ObjectStore, 'get' | 'stat'>;
  readonly verifier: Pick<SignedAddresses, 'verify'>;
}

const conditional = ['range', 'if-none-match', 'if-modified-since'];

/**
 * Serves signed addresses (GET, HEAD). Errors: `forbidden` for a tampered or expired address,
 * `not_found` for an object that is gone, `range_not_satisfiable`, `unavailable` when the store fails.
 *
 * Express's own `send` would do ranges and conditions too, but from a path: it goes round the store,
 * so that it could not serve a bucket, and it looks a file up twice, by name, where the store looks
 * and reads through one descriptor.
 */
export function filesRouter({ store, verifier }: FilesRouterParts): Router {
  const router = Router();
  router.get(`${filesPrefix}*key`, async (req, res) => {
    // Not req.params: keys have no characters to decode, so an encoded one is not what was signed.
    const key = req.path.slice(filesPrefix.length);
    const verdict = verifier.verify(key, req.query);
    if (verdict.state !== 'ok') {
      const message = {
        expired: 'The address has expired.',
        tampered: 'The address is not valid.',
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
  // Most requests want all of it, and for them one look at the disk is enough.
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
  // Ranges are defined for GET alone.
  const ranged = req.method === 'GET' && rangeApplies(req.headers, validators);
  const range = ranged ? resolveRange(req.headers.range, found.bytes) : undefined;
  if (range === 'unsatisfiable') {
    res.set('Content-Range', `bytes */${found.bytes}`);
    throw new ServiceError('range_not_satisfiable');
  }
  // Nothing is said to the client before the object is in hand: it may be deleted at any moment.
  const body = req.method === 'HEAD' ? undefined : ((await store.get(key, range)) ?? gone());
  res.status(range ? 206 : 200).set(cacheHeaders(validators, secondsLeft));
  res.set(contentHeaders(key, found, range));
  if (!body) res.end();
  else await send(body, res);
}

function gone(): never {
  throw new ServiceError('not_found');
}

/** Sends at the client's pace. A store that fails half-way breaks the connection off. */
async function send(body: ObjectBody, res: Response): Promise<void> {
  const signal = signalOf(res);
  try {
    if (body.sendTo) await body.sendTo(res, signal);
    else await pipeline(body.stream, res, { signal });
  } catch (error) {
    if (!isClientGone(error)) throw error;
  }
}
