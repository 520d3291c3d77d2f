import type { Operation } from '../operation.js';
import { ext } from '../record-fields.js';
import { withExample } from './field-example.js';
import type { Json } from './json-schema.js';
import type { Tools } from './tools.js';

interface Fields {
  readonly properties?: Record<string, Json>;
  readonly required?: readonly string[];
}

/** Alternative field names, and fields that are valid for one file only. */
const omittedFromExample = new Set(['lat', 'lng', 'image_hash']);

/**
 * OpenAPI 3.1 has `contentMediaType` for this, but client generators recognize a file by the format
 * of OpenAPI 3.0.
 */
const file: Json = {
  type: 'string',
  format: 'binary',
  description: 'the picture: JPEG, PNG, WebP, GIF, TIFF, AVIF or HEIC, recognized by its content',
};

/** The request body of an operation, in every accepted media type. */
export function requestBody({ body, upload }: Operation, tools: Tools): Json | undefined {
  if (!body && !upload) return undefined;
  const { properties = {}, required: needed = [] } = (
    body ? tools.schemas.input(body) : {}
  ) as Fields;
  const all = { ...(upload && { [upload.part]: file }), ...properties };
  const required = [...(upload ? [upload.part] : []), ...needed];
  const schema = { type: 'object', properties: all, ...(required.length > 0 && { required }) };
  const values = tools.examples.of(schema) as Json;
  const content = {
    schema: { ...schema, properties: exemplified(all, values, required) },
    examples: bodyExamples(values, required),
  };
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

const exemplified = (
  properties: Record<string, Json>,
  values: Json,
  required: readonly string[],
): Json =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      schema === file ? schema : withExample(schema, values[name], required.includes(name)),
    ]),
  );

/** Two examples: the required fields, which Swagger UI shows first, and all fields. */
function bodyExamples(values: Json, required: readonly string[]): Json {
  const only = (wanted: (name: string) => boolean): Json =>
    Object.fromEntries(Object.entries(values).filter(([name]) => wanted(name)));
  const minimal = only((name) => required.includes(name));
  const complete = only((name) => !omittedFromExample.has(name));
  return {
    required: { summary: 'Required fields', value: minimal },
    ...(Object.keys(complete).length > Object.keys(minimal).length && {
      complete: { summary: 'All fields', value: complete },
    }),
  };
}
