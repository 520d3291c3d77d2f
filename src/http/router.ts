import { Router } from 'express';
import type { Request as ExpressRequest, RequestHandler, Response } from 'express';
import { authenticate, authorise } from '../auth/guard.js';
import type { Claims } from '../auth/claims.js';
import type { Tokens } from '../auth/tokens.js';
import { ServiceError, missingField } from '../errors/catalogue.js';
import { readBody } from './body.js';
import { success } from './envelope.js';
import { validate, withoutEmpty } from './input.js';
import type { RawFields } from './input.js';
import type { Operation } from './operation.js';
import { StreamedAnswer, sendStream } from './streamed-answer.js';
import type { UploadLimits } from './upload.js';

export interface RouterParts {
  readonly tokens: Tokens;
  readonly uploads: UploadLimits;
  /** Base of the addresses handed out; by default what the request itself says. */
  readonly publicUrl: string | undefined;
}

const anonymous: Claims = { scope: 'user', typ: 'access', jti: '' };

/** Serves operations: access, then body, then validation, then the handler, then the envelope. */
export function operationsRouter(operations: readonly Operation[], parts: RouterParts): Router {
  const router = Router();
  const methods = new Map<string, Set<string>>();
  for (const operation of operations) {
    router[operation.method](operation.path, handler(operation, parts));
    const known = methods.get(operation.path) ?? new Set();
    methods.set(operation.path, known.add(operation.method.toUpperCase()));
  }
  // After all operations, so that /images/count is not refused as an /images/:image_id.
  for (const [path, allowed] of methods) router.all(path, methodNotAllowed(allowed));
  return router;
}

function methodNotAllowed(allowed: Set<string>): RequestHandler {
  const list = [...allowed, ...(allowed.has('GET') ? ['HEAD'] : [])].join(', ');
  return (_request, response) => {
    response.set('Allow', list);
    throw new ServiceError('method_not_allowed', { message: `This address answers ${list}.` });
  };
}

function handler(operation: Operation, parts: RouterParts): RequestHandler {
  return async (request, response) => {
    const arrival = {
      path: lowerCased(request.params as Record<string, string>),
      caller: await admit(operation, request, response, parts.tokens),
    };
    response.locals.caller = arrival.caller;
    await operation.upload?.before?.(arrival);
    const body = await readBody(request, response, operation.upload?.part, parts.uploads);
    try {
      const input = readInput(operation, request.query, body.fields);
      if (operation.upload && !body.file) throw missingField(operation.upload.part);
      const signal = signalOf(response);
      const result = await operation.handle(
        { ...arrival, input, absolute: absoluteFor(request, parts), signal },
        body.file,
      );
      if (operation.stream !== undefined && result instanceof StreamedAnswer) {
        await sendStream(result, operation.stream, { request, response, signal });
      } else response.json(success(result));
    } finally {
      await body.discard();
    }
  };
}

/** Ids are lower case everywhere; a client may have written them otherwise. */
const lowerCased = (path: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(path).map(([name, id]) => [name, id.toLowerCase()]));

async function admit(
  { scheme }: Operation,
  request: ExpressRequest,
  response: Response,
  tokens: Tokens,
): Promise<Claims> {
  if (scheme === 'none') return anonymous;
  try {
    const claims = await authenticate(request.headers.authorization, scheme, tokens);
    authorise(claims, request.params as Record<string, string>);
    return claims;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 401) {
      response.set('WWW-Authenticate', `${scheme} realm="imgstore", error="${error.code}"`);
    }
    throw error;
  }
}

/** Each part's fields come first from where the interface puts them, then from the other place. */
function readInput(operation: Operation, rawQuery: RawFields, body: RawFields): RawFields {
  const query = withoutEmpty(rawQuery);
  return {
    ...(operation.query && validate(operation.query, { ...body, ...query })),
    ...(operation.body && validate(operation.body, { ...query, ...body })),
  };
}

const absoluteFor = (request: ExpressRequest, { publicUrl }: RouterParts) => {
  const base = publicUrl?.replace(/\/+$/, '') ?? `${request.protocol}://${request.host}`;
  return (address: string): string => (address.startsWith('/') ? base + address : address);
};

function signalOf(response: Response): AbortSignal {
  const abort = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) abort.abort();
  });
  return abort.signal;
}
