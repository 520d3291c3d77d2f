import type { Operation } from '../operation.js';
import { successMessage } from '../envelope.js';
import { ext } from '../record-fields.js';
import { describeErrors } from './errors.js';
import type { Examples } from './examples.js';
import type { Json, SchemaWriter } from './json-schema.js';
import { tagOf } from './tags.js';

export interface Tools {
  readonly schemas: SchemaWriter;
  readonly examples: Examples;
}

/** `/users/:user_id` → `/users/{user_id}` */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

/** The operation object of the document. */
export function describeOperation(operation: Operation, tools: Tools): Json {
  const { id, summary, path, scheme, method, ext: ours } = operation;
  const body = method === 'get' ? undefined : requestBody(operation, tools);
  return {
    operationId: id,
    summary,
    tags: [tagOf(path)],
    ...(ours && ext),
    security: scheme === 'none' ? [] : [{ [scheme]: [] }],
    parameters: [...pathParameters(path), ...queryParameters(operation, tools)],
    ...(body && { requestBody: body }),
    responses: {
      200: success(operation, tools),
      ...describeErrors(operation),
    },
  };
}

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    example: '0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01',
  }));

function queryParameters({ query }: Operation, { schemas, examples }: Tools): Json[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemas.input(query) as ObjectSchema;
  return Object.entries(properties).map(([name, { description, 'x-ext': ours, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    ...(ours === true && ext),
    schema,
    example: examples.of(schema, name),
  }));
}

interface ObjectSchema {
  readonly properties?: Record<string, Json>;
  readonly required?: readonly string[];
}

function requestBody({ body, upload }: Operation, { schemas, examples }: Tools): Json | undefined {
  if (!body && !upload) return undefined;
  const fields = body ? (schemas.input(body) as ObjectSchema) : {};
  const file = upload && { [upload.part]: { type: 'string', contentMediaType: 'image/*' } };
  const required = [...(upload ? [upload.part] : []), ...(fields.required ?? [])];
  const schema = {
    type: 'object',
    properties: { ...file, ...fields.properties },
    ...(required.length > 0 && { required }),
  };
  const content = { schema, example: examples.of(schema) };
  return {
    required: required.length > 0,
    content: upload
      ? { 'multipart/form-data': content }
      : {
          'application/x-www-form-urlencoded': content,
          'multipart/form-data': content,
          'application/json': { ...content, ...ext },
        },
  };
}

function success({ result, stream }: Operation, { schemas, examples }: Tools): Json {
  const schema = schemas.output(result);
  return {
    description: 'Success',
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
      ...(stream !== undefined && {
        [stream]: { schema: { type: 'string', contentMediaType: stream } },
      }),
    },
  };
}
