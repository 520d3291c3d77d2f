import { catalogue, type ErrorCode } from '../../base/errors/catalogue.js';
import { errorsOf, type Operation } from '../operation.js';
import type { Json } from './schemas.js';

const codes = Object.keys(catalogue) as ErrorCode[];

const lines = codes.map(
  (code) => `- \`${code}\` (${catalogue[code].status}): ${catalogue[code].message}`,
);

/** The error envelope and the possible values of its `code`. */
export const errorSchemas: Record<string, Json> = {
  ErrorCode: { type: 'string', enum: codes, description: lines.join('\n') },
  Error: {
    type: 'object',
    required: ['status_code', 'message', 'result', 'error'],
    properties: {
      status_code: { type: 'integer', description: 'equals the HTTP status' },
      message: { type: 'string', description: 'human-readable message' },
      result: { type: 'null' },
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { $ref: '#/components/schemas/ErrorCode' },
          message: { type: 'string' },
          field: { type: 'string', description: 'the field at fault, if any' },
          details: { description: 'machine-readable details' },
        },
      },
    },
  },
};

const titles: Record<number, string> = {
  400: 'The request itself is invalid',
  401: 'The token is missing, malformed, expired, revoked, or of the wrong type',
  403: 'The token is valid, but does not grant access to this resource',
  404: 'There is no such upload or link, or it is not for this',
  408: 'The request did not arrive in time',
  409: 'A request with the same Idempotency-Key is still in progress, or an upload goes on elsewhere',
  410: 'The requested data is no longer kept, or the link is no longer open',
  412: 'The version of the protocol is not supported',
  413: 'The request body is larger than this server accepts',
  415: 'The media type of the request body is not supported',
  416: 'The range lies outside of the object',
  417: 'The server does not support this Expect header',
  422: 'The Idempotency-Key belongs to another request',
  423: 'Another request is writing to the upload',
  429: 'Too many requests',
  431: 'The headers are larger than this server accepts',
  460: 'What arrived differs from its checksum',
  500: 'Internal server error',
  503: 'The database or object store is unavailable, or the service is shutting down',
};

const header = (description: string): Json => ({ description, schema: { type: 'string' } });

const headers: Record<number, Record<string, Json>> = {
  401: { 'WWW-Authenticate': header('the expected scheme word') },
  409: { 'Retry-After': header('seconds') },
  412: { 'Tus-Version': header('the versions that are supported') },
  423: { 'Retry-After': header('seconds') },
  429: { 'Retry-After': header('seconds') },
  503: { 'Retry-After': header('seconds') },
};

/** An example response for each error code that one of these operations can return. */
export const errorExamples = (operations: readonly Operation[]): Record<string, Json> =>
  Object.fromEntries(operations.flatMap(errorsOf).map((code) => [code, { value: example(code) }]));

function example(code: ErrorCode): Json {
  const { status, message } = catalogue[code];
  return { status_code: status, message, result: null, error: { code, message } };
}

const codesOf = (status: number, among: readonly ErrorCode[]): ErrorCode[] =>
  among.filter((code) => catalogue[code].status === status);

/** The schema of an error whose code is one of these. */
const narrowed = (among: readonly ErrorCode[]): Json => ({
  code: { type: 'string', enum: among },
  message: {},
  field: {},
  details: {},
});

/** The response for a status with one of these codes. */
const answer = (status: number, among: readonly ErrorCode[]): Json => ({
  description: titles[status],
  ...(headers[status] && { headers: headers[status] }),
  content: {
    'application/json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Error' },
          { properties: { error: { type: 'object', properties: narrowed(among) } } },
        ],
      },
      examples: Object.fromEntries(
        among.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
      ),
    },
  },
});

/** The codes with which most operations answer a status. */
export type SharedErrors = ReadonlyMap<number, readonly ErrorCode[]>;

/** The codes of each status that an operation can return. */
function codesByStatus(operation: Operation): Map<number, ErrorCode[]> {
  const possible = errorsOf(operation);
  const statuses = new Set(possible.map((code) => catalogue[code].status));
  return new Map([...statuses].map((status) => [status, codesOf(status, possible)]));
}

/** Nearly every operation has 400 with other codes. */
const neverShared = 400;

export function sharedErrors(operations: readonly Operation[]): SharedErrors {
  const uses = new Map<number, Map<string, number>>();
  for (const [status, possible] of operations.flatMap((one) => [...codesByStatus(one)])) {
    const counts = uses.get(status) ?? new Map<string, number>();
    const key = possible.join(' ');
    uses.set(status, counts.set(key, (counts.get(key) ?? 0) + 1));
  }
  uses.delete(neverShared);
  const most = (counts: Map<string, number>): ErrorCode[] => {
    const [[key] = ['']] = [...counts].sort(([, a], [, b]) => b - a);
    return key.split(' ') as ErrorCode[];
  };
  return new Map([...uses].map(([status, counts]) => [status, most(counts)]));
}

/** Responses that many operations share, by name. */
export const errorResponses = (shared: SharedErrors): Record<string, Json> =>
  Object.fromEntries(
    [...shared]
      .sort(([a], [b]) => a - b)
      .map(([status, among]) => [`Error${status}`, answer(status, among)]),
  );

/** The error responses of an operation, by status. */
export const describeErrors = (operation: Operation, shared: SharedErrors): Json =>
  Object.fromEntries(
    [...codesByStatus(operation)].map(([status, among]) => [
      status,
      shared.get(status)?.join(' ') === among.join(' ')
        ? { $ref: `#/components/responses/Error${status}` }
        : answer(status, among),
    ]),
  );
