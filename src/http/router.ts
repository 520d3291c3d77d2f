import { Router } from 'express';
import type { Request as ExpressRequest, RequestHandler, Response } from 'express';
import { callerOf } from './auth/claims.js';
import type { Claims } from './auth/claims.js';
import { runAsCaller } from '../database/callers.js';
import { methodNotAllowed } from './method-not-allowed.js';
import { readFields } from './body.js';
import { Call } from './call.js';
import { anonymousFieldLimits, fieldLimits } from './form-fields.js';
import type { Gate } from './gate.js';
import { baseUrlOf } from './host.js';
import { keyOf } from './idempotency-key.js';
import type { KeyedRequests } from './keyed-requests.js';
import type { UploadSlots } from './open-uploads.js';
import type { Operation } from './operation.js';
import { RequestLimiter } from './request-limiter.js';
import { urlResolver } from './resolve-url.js';
import type { RunningRequests } from './running-requests.js';
import { withUpload } from './upload.js';
import type { ReceivedForm, UploadStaging } from './upload.js';

export interface RouterParts {
  readonly gate: Gate;
  readonly uploads: UploadStaging & { readonly open: UploadSlots };
  readonly keyed: KeyedRequests;
  readonly running: RunningRequests;
  /** Base of generated URLs; by default taken from the request. */
  readonly publicUrl: string | undefined;
  /** Reverse proxies whose forwarding headers are trusted. */
  readonly trustProxy: number;
}

/** Serves operations: access, then body, then validation, then the handler, then the envelope. */
export function operationsRouter(operations: readonly Operation[], parts: RouterParts): Router {
  const router = Router({ strict: false }); // with and without a trailing slash
  const turns = new RequestLimiter();
  for (const [path, served] of byPath(operations)) {
    for (const operation of served) {
      const handle = parts.gate.withAuthChallenge(operation, handler(operation, parts, turns));
      router[operation.method](path, handle);
    }
    router.all(path, otherMethods(served));
  }
  return router;
}

/**
 * Fixed segments before placeholders: /images/count does not match /images/:image_id, whatever the
 * method.
 */
function byPath(operations: readonly Operation[]): [string, Operation[]][] {
  const paths = new Map<string, Operation[]>();
  for (const operation of operations) {
    paths.set(operation.path, [...(paths.get(operation.path) ?? []), operation]);
  }
  const placeholders = (path: string): number => path.split(':').length;
  return [...paths].sort(([a], [b]) => placeholders(a) - placeholders(b));
}

function otherMethods(served: readonly Operation[]): RequestHandler {
  const methods = served.map(({ method }) => method.toUpperCase());
  const list = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  return (_request, response) => {
    throw methodNotAllowed(response, list);
  };
}

/** Admits a request, and runs everything it does on behalf of its caller. */
function handler(operation: Operation, parts: RouterParts, turns: RequestLimiter): RequestHandler {
  const answer = answerer(operation, parts);
  return async (request, response) => {
    response.locals.operation = operation.id;
    const caller = await parts.gate.authorize(operation, request);
    response.locals.caller = caller;
    if (operation.scheme === 'none') return answer(request, response, caller);
    if (!(await turns.acquire(operation, caller, response))) return;
    const { scope, jti: token } = caller;
    await parts.running.run(() =>
      runAsCaller(callerOf(caller), () => answer(request, response, caller), { scope, token }),
    );
  };
}

function answerer(operation: Operation, parts: RouterParts) {
  const { uploads, keyed } = parts;
  return async (request: ExpressRequest, response: Response, caller: Claims): Promise<void> => {
    const call = new Call(operation, request, response, caller, urlResolverFor(request, parts));
    const id = keyOf(operation, request, caller);
    const answer = async (form: ReceivedForm): Promise<void> =>
      call.send(await call.handle(call.validateForm(form)));
    const { upload } = operation;
    if (!upload) {
      const limits = operation.scheme === 'none' ? anonymousFieldLimits : fieldLimits;
      const fields = await readFields(request, response, { known: call.known, limits });
      const form = { fields };
      return id ? keyed.answer(id, call, form) : answer(form);
    }
    const receive = async (use: typeof answer): Promise<void> => {
      const remainingBytes = await upload.before(call.arrival);
      const expected = { part: upload.part, known: call.known, remainingBytes };
      await withUpload(request, response, uploads, expected, use);
    };
    await uploads.open.run(caller.userId ?? '', call.signal, () =>
      id ? keyed.receive(id, call, uploads, receive) : receive(answer),
    );
  };
}

const urlResolverFor = (request: ExpressRequest, { publicUrl, trustProxy }: RouterParts) =>
  urlResolver(publicUrl ?? baseUrlOf(request, trustProxy > 0));
