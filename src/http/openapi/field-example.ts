import type { Json } from './json-schema.js';

/**
 * A field's schema with its example. Swagger UI prefills `example` but only shows `examples`, so
 * that forms are prefilled with the required fields only.
 */
export const withExample = (schema: Json, example: unknown, required: boolean): Json =>
  required ? { ...schema, example } : { ...schema, examples: [example] };
