import { keyHeader, takesKeys } from '../idempotency-key.js';
import type { Operation } from '../operation.js';
import { ext } from '../record-fields.js';
import { withExample } from './field-example.js';
import type { Json } from './json-schema.js';
import type { Tools } from './tools.js';

/** Descriptions of path parameters: where a client gets each id. */
const sources: Record<string, string> = {
  platform_id: '`id` of the answer that created the platform; the subject (`sub`) of its token',
  user_id: '`user_id` of the answer that created the user; the subject (`sub`) of the token',
  folder_id: '`id` of a folder',
  image_id: '`id` of an image',
  memo_id: '`id` of one of the memos of the image',
  custom_id: '`id` of one of the customs of the image',
  webhook_id: '`id` of a webhook of the platform',
  z: 'zoom',
  x: 'column of the tile, from the west: less than 2 to the power of z',
  y: 'row of the tile, from the north: less than 2 to the power of z',
};

const ids = { type: 'string', examples: ['0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01'] };

/** Schemas of the coordinates of a map tile. */
const numbers: Record<string, Json> = {
  z: { type: 'integer', minimum: 0, maximum: 22, examples: [11] },
  x: { type: 'integer', minimum: 0, maximum: 4_194_303, examples: [1746] },
  y: { type: 'integer', minimum: 0, maximum: 4_194_303, examples: [793] },
};

/** Without `example`, which Swagger UI would prefill with an id that no server has. */
export const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: sources[name],
    schema: numbers[name] ?? ids,
  }));

/** The header of operations that accept keys. */
export const keyParameters = (operation: Operation): Json[] =>
  takesKeys(operation) || operation.readsKey
    ? [
        {
          name: keyHeader,
          in: 'header',
          required: false,
          description:
            'identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID',
          ...ext,
          schema: {
            type: 'string',
            pattern: '^[!-~]{1,255}$',
            examples: ['0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b09'],
          },
        },
      ]
    : [];

interface ObjectSchema {
  readonly properties?: Record<string, Json>;
  readonly required?: readonly string[];
}

export function queryParameters({ query }: Operation, { schemas, examples }: Tools): Json[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemas.input(query) as ObjectSchema;
  return Object.entries(properties).map(([name, { description, 'x-ext': ours, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    ...(ours === true && ext),
    schema: withExample(schema, examples.of(schema, name), required.includes(name)),
  }));
}
