import { schemesOf, streamsOf } from '../operation.js';
import type { Operation } from '../operation.js';
import { replayedHeader, takesKeys } from '../idempotency-key.js';
import { successMessage } from '../envelope.js';
import { ext } from '../record-fields.js';
import { describeErrors } from './errors.js';
import type { Json } from './json-schema.js';
import { keyParameters, pathParameters, queryParameters } from './parameters.js';
import { requestBody } from './request-body.js';
import { tagOf } from './tags.js';
import type { Tools } from './tools.js';

/** `/users/:user_id` → `/users/{user_id}` */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

/** The operation object of the document. */
export function describeOperation(operation: Operation, tools: Tools): Json {
  const { id, summary, path, method, ext: ours } = operation;
  const body = method === 'get' ? undefined : requestBody(operation, tools);
  return {
    operationId: id,
    summary,
    tags: [tagOf(path)],
    ...(ours && ext),
    security: schemesOf(operation).map((scheme) => ({ [scheme]: [] })),
    parameters: [
      ...pathParameters(path),
      ...queryParameters(operation, tools),
      ...keyParameters(operation),
    ],
    ...(body && { requestBody: body }),
    responses: {
      200: success(operation, tools),
      ...rangesOf(operation),
      ...describeErrors(operation),
    },
  };
}

/** Headers of operations that accept keys. */
const replayedHeaders = {
  [replayedHeader]: {
    description: 'true if this is the answer of an earlier request with the same key',
    schema: { type: 'string', enum: ['true'] },
    ...ext,
  },
};

/** The additional responses to requests with Range or If-None-Match. */
const rangesOf = (operation: Operation): Json => ({
  ...(operation.versioned && { 204: { description: 'The resource is empty' } }),
  ...(operation.ranges && {
    206: { description: 'The requested range', content: bytesOf(operation) },
  }),
  ...((operation.ranges ?? operation.versioned) && {
    304: { description: 'Not changed since the ETag in If-None-Match' },
  }),
});

const bytesOf = (operation: Operation): Json =>
  Object.fromEntries(
    streamsOf(operation).map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
  );

function success(operation: Operation, { schemas, examples }: Tools): Json {
  const { result } = operation;
  const schema = schemas.output(result);
  if (operation.bare) {
    const bodies = streamsOf(operation).map((type) => [
      type,
      { schema, ...(type.endsWith('json') && { example: examples.of(schema) }) },
    ]);
    return { description: 'Success', content: Object.fromEntries(bodies) as Json };
  }
  return {
    description: 'Success',
    ...(takesKeys(operation) && { headers: replayedHeaders }),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['status_code', 'message', 'result'],
          properties: {
            status_code: { type: 'integer', const: 200 },
            message: { type: 'string', const: successMessage },
            result: schema,
          },
        },
        example: { status_code: 200, message: successMessage, result: examples.of(schema) },
      },
      ...bytesOf(operation),
    },
  };
}
