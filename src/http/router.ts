import { Router } from 'express';
import type { Request as ExpressRequest, RequestHandler, Response } from 'express';
import { callerOf } from '../auth/claims.js';
import type { Claims } from '../auth/claims.js';
import { runAsCaller } from '../database/callers.js';
import { methodNotAllowed } from './method-not-allowed.js';
import { readFields } from './body.js';
import { disconnectSignal } from './client-gone.js';
import type { Gate } from './gate.js';
import { missingFile } from './missing-file.js';
import { validate, withoutEmpty } from './validate.js';
import type { RawFields } from './validate.js';
import type { UploadSlots } from './open-uploads.js';
import type { Operation } from './operation.js';
import { RequestLimiter } from './request-limiter.js';
import { StreamedResponse, sendStream } from './streamed-response.js';
import { urlResolver } from './resolve-url.js';
import { sendResult } from './streamed-json.js';
import { withUpload } from './upload.js';
import type { ReceivedForm, UploadStaging } from './upload.js';

export interface RouterParts {
  readonly gate: Gate;
  readonly uploads: UploadStaging & { readonly open: UploadSlots };
  /** Base of generated URLs; by default taken from the request. */
  readonly publicUrl: string | undefined;
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
    const caller = await parts.gate.authorize(operation, request);
    response.locals.caller = caller;
    if (operation.scheme === 'none') return answer(request, response, caller);
    if (!(await turns.acquire(operation, caller, response))) return;
    await runAsCaller(callerOf(caller), () => answer(request, response, caller));
  };
}

function answerer(operation: Operation, parts: RouterParts) {
  return async (request: ExpressRequest, response: Response, caller: Claims): Promise<void> => {
    const arrival = { path: lowerCased(request.params as Record<string, string>), caller };
    const signal = disconnectSignal(response);
    const answer = async (form: ReceivedForm): Promise<void> => {
      const { fields, file } = form;
      const input = readInput(operation, request.query, fields);
      if (operation.upload && !file) throw missingFile(operation.upload.part, form);
      const result = await operation.handle(
        {
          ...{ ...arrival, input, signal },
          resolveUrl: urlResolverFor(request, parts),
          header: (name) => request.get(name),
        },
        file,
      );
      if (operation.stream !== undefined && result instanceof StreamedResponse) {
        await sendStream(result, operation.stream, { request, response, signal });
      } else await sendResult(result, { request, response, signal });
    };
    const { upload } = operation;
    if (!upload) return answer({ fields: await readFields(request, response) });
    const { uploads } = parts;
    await uploads.open.run(caller.userId ?? '', signal, async () => {
      const expected = { part: upload.part, remainingBytes: await upload.before(arrival) };
      await withUpload(request, response, uploads, expected, answer);
    });
  };
}

/** Ids are lowercase everywhere; a client may have written them otherwise. */
const lowerCased = (path: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(path).map(([name, id]) => [name, id.toLowerCase()]));

/** Each set of fields is read first from its documented place, then from the other. */
function readInput(operation: Operation, rawQuery: RawFields, body: RawFields): RawFields {
  const query = withoutEmpty(rawQuery);
  return {
    ...(operation.query && validate(operation.query, { ...body, ...query })),
    ...(operation.body &&
      validate(operation.body, operation.bodyAlone ? body : { ...query, ...body })),
  };
}

const urlResolverFor = (request: ExpressRequest, { publicUrl }: RouterParts) =>
  urlResolver(publicUrl ?? `${request.protocol}://${request.host}`);
