import { z } from 'zod';
/** A JSON Schema (draft 2020-12), or any other object of an OpenAPI document. */
export type Json = Record<string, unknown>;

const flagWords = new Map<unknown, unknown>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

/**
 * Converts zod schemas to JSON Schemas. Those with an `id` in their metadata become components of
 * the document, written once and referenced.
 */
export class SchemaWriter {
  readonly components: Record<string, Json> = {};

  /** Request schemas. */
  input(schema: z.ZodType): Json {
    const written = this.#write(schema, 'input') as { readonly properties?: Record<string, Json> };
    const fields = Object.entries(written.properties ?? {});
    const properties = fields.map(([name, field]) => [name, withoutNull(field)]);
    return { ...written, properties: Object.fromEntries(properties) };
  }

  /** Response schemas. */
  output(schema: z.ZodType): Json {
    return this.#write(schema, 'output');
  }

  #write(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $defs = {}, ...written } = z.toJSONSchema(schema, {
      io,
      override: ({ zodSchema, jsonSchema }) => {
        const { def } = zodSchema._zod;
        if (def.type === 'default') jsonSchema.default = asSent(def.defaultValue);
        tidy(jsonSchema);
      },
    }) as Json & { $defs?: Record<string, Json> };
    for (const [name, component] of Object.entries($defs)) {
      this.components[name] = pointToComponents(component) as Json;
    }
    return pointToComponents(written) as Json;
  }
}

/** Omits keywords that mean nothing to clients. */
function tidy(schema: Json): void {
  // Records may gain fields (ext); clients that read only the fields they know keep working.
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  delete schema.$schema;
  delete schema.id;
}

/** Omits null, which clients send as an empty field. */
function withoutNull(field: Json): Json {
  const { anyOf, ...schema } = field;
  const [value, ...others] = ((anyOf ?? []) as Json[]).filter(({ type }) => type !== 'null');
  return value && others.length === 0 ? { ...value, ...schema } : field;
}

/** Booleans are sent as words in forms and queries. */
const asSent = (value: unknown) => flagWords.get(value) ?? value;

/** `#/$defs/Image` → `#/components/schemas/Image` */
function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : pointToComponents(inner),
    ]),
  );
}

/**
 * A field's schema with its example. Swagger UI prefills `example` but only shows `examples`, so
 * that forms are prefilled with the required fields only.
 */
export const withExample = (schema: Json, example: unknown, required: boolean): Json =>
  required ? { ...schema, example } : { ...schema, examples: [example] };
