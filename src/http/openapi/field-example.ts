import type { Json } from './json-schema.js';

/**
 * A field's schema with its example. Swagger UI fills in what `example` says, and only shows what
 * `examples` say: so a form that is tried out has what the operation needs, and no more.
 */
export const withExample = (schema: Json, example: unknown, required: boolean): Json =>
  required ? { ...schema, example } : { ...schema, examples: [example] };
