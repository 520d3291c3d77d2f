import { catalogue } from '../../errors/catalogue.js';
import type { ErrorCode } from '../../errors/catalogue.js';
import type { Json } from './json-schema.js';

const codes = Object.keys(catalogue) as ErrorCode[];

const lines = codes.map(
  (code) => `- \`${code}\` (${catalogue[code].status}): ${catalogue[code].message}`,
);

/** The error envelope and the words of its `code`. */
export const errorSchemas: Record<string, Json> = {
  ErrorCode: { type: 'string', enum: codes, description: lines.join('\n') },
  Error: {
    type: 'object',
    required: ['status_code', 'message', 'result', 'error'],
    properties: {
      status_code: { type: 'integer', description: 'equals the HTTP status' },
      message: { type: 'string', description: 'a sentence for people' },
      result: { type: 'null' },
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { $ref: '#/components/schemas/ErrorCode' },
          message: { type: 'string' },
          field: { type: 'string', description: 'the field at fault, where one is' },
          details: { description: 'particulars for programs' },
        },
      },
    },
  },
};

const titles: Record<number, string> = {
  400: 'Something is wrong with the request itself',
  401: 'No token, or one that is malformed, expired, revoked or of the wrong kind',
  403: 'A valid token, but for somebody else',
  413: 'The body is larger than this server accepts',
  415: 'The body is in a media type that is not accepted',
  429: 'Too many requests',
  500: 'A mistake inside the server',
  503: 'Database or object store are away, or the service is shutting down',
};

const header = (description: string): Json => ({ description, schema: { type: 'string' } });

const headers: Record<number, Record<string, Json>> = {
  401: { 'WWW-Authenticate': header('the scheme word that is wanted') },
  429: { 'Retry-After': header('seconds') },
  503: { 'Retry-After': header('seconds') },
};

/** One answer of the document for each status, with every code of that status as an example. */
export const errorResponses: Record<string, Json> = Object.fromEntries(
  Object.entries(titles).map(([status, description]) => [
    `Error${status}`,
    {
      description,
      ...(headers[Number(status)] && { headers: headers[Number(status)] }),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(
            codes
              .filter((code) => catalogue[code].status === Number(status))
              .map((code) => [code, { value: example(code) }]),
          ),
        },
      },
    },
  ]),
);

function example(code: ErrorCode): Json {
  const { status, message } = catalogue[code];
  return { status_code: status, message, result: null, error: { code, message } };
}

/** The error answers of an operation. */
export function errorsOf(traits: { readonly open: boolean; readonly body: boolean }): Json {
  const statuses = [
    400,
    ...(traits.open ? [] : [401, 403]),
    ...(traits.body ? [413, 415] : []),
    429,
    500,
    503,
  ];
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );
}
