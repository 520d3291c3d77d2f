import {
  Router,
  type Request as ExpressRequest,
  type RequestHandler,
  type Response,
} from 'express';
import { guarded, ignore } from '../base/guarded.js';
import { secondMs } from '../base/units.js';
import { runAsCaller, FairSemaphore } from '../database/fairness.js';
import { isAllowed } from './auth/allow.js';
import { bearerOf, callerOf, type Claims } from './auth/claims.js';
import { readFields } from './body.js';
import { Call } from './call.js';
import { anonymousFieldLimits, fieldLimits, type RawFields } from './form-fields.js';
import type { Gate } from './gate.js';
import { baseUrlOf } from './host.js';
import { keyOf, type KeyedRequests } from './idempotency/keyed-requests.js';
import { methodNotAllowed } from './envelope.js';
import type { UploadSlots } from './open-uploads.js';
import type { Maintenance } from './maintenance.js';
import { isChange, type Operation, type ResolveUrl } from './operation.js';
import { withUpload, type ReceivedForm, type UploadStaging } from './upload.js';

/**
 * Makes those URLs of the store absolute that are paths of this API. @param base URL of the API.
 */
export function urlResolver(base: string): (url: string) => string {
  const prefix = base.replace(/\/+$/, '');
  return (url) => (url.startsWith('/') ? prefix + url : url);
}

/**
 * Running requests, including those of clients that have disconnected. Resources that they use are
 * closed only after them.
 */
export class RunningRequests {
  #running = 0;
  #ended: (() => void) | undefined;

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#ended?.();
    }
  }

  /** Resolves once no request is running, after `ms` milliseconds at the latest. */
  async ended(ms: number): Promise<void> {
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      const late = guarded(ignore, resolve);
      const timer = setTimeout(late, ms);
      this.#ended = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Concurrent requests of one caller, and requests that may wait. */
const requestsPerCaller = 32;
const waitingPerCaller = 1_000;
/** How long a request waits for others of its caller at most, in milliseconds. */
const waitMs = 10 * secondMs;

/** Limits how many requests of one caller are in progress. */
export class RequestLimiter {
  readonly #semaphore = new FairSemaphore({
    total: Infinity,
    perCaller: requestsPerCaller,
    waiting: waitingPerCaller,
    waitMs,
  });

  /**
   * Waits until the caller has few enough requests in progress; a request counts until its response
   * has been sent. Uploads are exempt, since they wait for the imaging process, which has its own
   * queue, and their responses are short. Requests that wait for changes are exempt as well.
   * @returns false if the client disconnected in the meantime.
   * @throws ServiceError `unavailable` when the caller has too many requests.
   */
  async acquire(
    { upload, waits }: Operation,
    caller: Claims,
    response: Response,
  ): Promise<boolean> {
    if (upload || waits) return true;
    if (response.destroyed) return false; // disconnected while its token was checked, so 'close' has already been emitted
    const account = callerOf(caller);
    let state: 'waiting' | 'running' | 'over' = 'waiting';
    const cut = (): void => void response.destroy();
    const closed = guarded(cut, () => {
      if (state === 'running') this.#semaphore.release(account);
      state = 'over';
    });
    response.once('close', closed);
    await this.#semaphore.acquire(account);
    if ((state as string) === 'over') {
      this.#semaphore.release(account);
      return false;
    }
    state = 'running';
    return true;
  }
}

interface RouterParts {
  readonly gate: Gate;
  readonly uploads: UploadStaging & { readonly open: UploadSlots };
  readonly keyed: KeyedRequests;
  readonly running: RunningRequests;
  readonly maintenance: Pick<Maintenance, 'assertOff'>;
  /** Base of generated URLs; by default taken from the request. */
  readonly publicUrl: string | undefined;
  /** Reverse proxies whose forwarding headers are trusted. */
  readonly trustProxy: number;
}

/** Serves operations: access, then body, then validation, then the handler, then the envelope. */
export function operationsRouter(operations: readonly Operation[], parts: RouterParts): Router {
  const router = Router({ strict: false }); // with and without a trailing slash
  const turns = new RequestLimiter();
  for (const [declared, served] of byPath(operations)) {
    const path = served[0]?.takesRest ? declared.replace(/:(\w+)$/, '*$1') : declared;
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
  const implied = methods.includes('GET') ? ['HEAD'] : [];
  const list = [...new Set([...methods, ...implied])].join(', ');
  return (_request, response) => {
    throw methodNotAllowed(response, list);
  };
}

/** Admits a request, and runs everything it does on behalf of its caller. */
function handler(operation: Operation, parts: RouterParts, turns: RequestLimiter): RequestHandler {
  const answer = answerer(operation, parts);
  return async (request, response) => {
    response.locals.operation = operation.id;
    if (operation.protocol) response.set(operation.protocol.headers);
    const caller = await parts.gate.authorize(operation, request);
    response.locals.caller = caller;
    if (isChange(operation)) await parts.maintenance.assertOff();
    if (operation.scheme === 'none') return answer(request, response, caller);
    if (!(await turns.acquire(operation, caller, response))) return;
    await parts.running.run(() =>
      runAsCaller(callerOf(caller), () => answer(request, response, caller), bearerOf(caller)),
    );
  };
}

function answerer(operation: Operation, parts: RouterParts) {
  const { uploads, keyed } = parts;
  return async (request: ExpressRequest, response: Response, caller: Claims): Promise<void> => {
    const call = new Call(
      operation,
      request,
      response,
      caller,
      urlResolverFor(request, parts, caller),
    );
    const inSlot = (work: () => Promise<void>): Promise<void> =>
      uploads.open.run(callerOf(caller), call.signal, work);
    if (operation.protocol) return operation.protocol.converse(call.exchange(inSlot));
    const id = keyOf(operation, request, caller);
    const answer = async (form: ReceivedForm): Promise<void> =>
      call.send(await call.handle(call.validateForm(form)));
    const { upload } = operation;
    if (!upload) {
      const isAnonymous = operation.scheme === 'none' || operation.scheme === 'Link';
      const limits = isAnonymous ? anonymousFieldLimits : fieldLimits;
      const fields = await readFields(request, response, { known: call.known, limits });
      const form = { fields };
      return id ? keyed.answer(id, call, form) : answer(form);
    }
    const receive = async (use: typeof answer): Promise<void> => {
      const remainingBytes = await upload.before(call.arrival);
      const { known } = call;
      const suffices = async (fields: () => RawFields): Promise<false> => {
        const announced = upload.beforeFile && call.announced(fields);
        if (announced) await upload.beforeFile?.(call.arrival, announced);
        return false;
      };
      const expected = { part: upload.part, known, remainingBytes, suffices };
      await withUpload(request, response, uploads, expected, use);
    };
    await inSlot(() => (id ? keyed.receive(id, call, uploads, receive) : receive(answer)));
  };
}

const urlResolverFor = (
  request: ExpressRequest,
  { publicUrl, trustProxy }: RouterParts,
  caller: Claims,
): ResolveUrl =>
  Object.assign(urlResolver(publicUrl ?? baseUrlOf(request, trustProxy > 0)), {
    withholds: !isAllowed(caller, ['read']),
  });
