import { z } from 'zod';
import { objectKey, type ObjectRole } from '../../store/object-key.js';
import { SignedUrls } from '../../store/signed-url.js';

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

/** Example values for the API's fields, by name: a name means the same everywhere. */
const samples: Record<string, unknown> = {
  access_token: '<ACCESS_TOKEN>',
  refresh_token: '<REFRESH_TOKEN>',
  platform: 'Field survey',
  platform_user_id: 'surveyor-17',
  title: '현장 사진 2',
  current_path: '/현장 사진 2',
  current_path_id: '/0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b02',
  filename:
    '20250131_093015_482_20250131_093012_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_0.jpg',
  hashdata: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  image_data: '<the bytes of the file>',
  image_resource_type: 'jpeg',
  resolution: '4000x3000',
  lat: 37.5662952,
  lng: 126.9779451,
  latitude: 37.5662952,
  longitude: 126.9779451,
  address_road: '서울특별시 중구 세종대로 110',
  address_land: '서울특별시 중구 태평로1가 31',
  address_land_number: '31',
  building_name: '서울특별시청',
  address_sort: null,
  address_det: '3층',
  message: '정문 왼쪽',
  key: '관리 번호',
  value: 'A-1024',
  search: '세종대로',
  delete_at: null,
  hashes: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  image_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  reason: '민원 2026-118호',
  until: '20991231_235959',
  image_ids: ['0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01'],
  delete: 'False',
  download: 'False',
  days_range: 30,
  max_storage_mb: 10240,
  filesize_mb: 2.384186,
  image_filesize_mb: 2.384186,
  total_filesize_mb: 2.384186,
  part_total_filesize_mb: 2.384186,
  thumbhash: 'HBkSHYSIeHiPiHh8eJd4eTN0EEQG',
  distance_m: 12.5,
  radius: 100,
  page: 1,
  total_pages: 1,
  page_size: 60,
  count: 1,
  total_count: 1,
  last_index: 0,
  date: 20250131,
  start_date: '20250101',
  end_date: '20250131',
  from_date: '20250101',
  to_date: '20250131',
  bbox: '126.5,37.2,127.5,37.8',
  zoom: 11,
};

const exampleId = '0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01';

/** A day and a time, for fields that are described only by their pattern. */
const times = ['20250131', '20250131_093015'];

/**
 * Signs the example URLs, which lead to nothing: the secret is public, and the result is always the
 * same.
 */
const signer = new SignedUrls({
  secret: Buffer.from('of the examples, and of nothing else'),
  ttlSeconds: 3600,
  now: () => Date.UTC(2025, 0, 31),
});

const urlFields = new Map<string, [ObjectRole, extension: string]>([
  ['path_url', ['display', 'jpg']],
  ['org_path_url', ['original', 'jpg']],
  ['thumb_url', ['thumb', 'webp']],
  ['full_url', ['original', 'jpg']],
]);

const version = {
  platformId: '0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b03',
  userId: '0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b04',
  imageId: exampleId,
  versionId: exampleId,
};

/** An example for a URL field, as with the local store. */
function exampleUrl(field: string): string | undefined {
  const object = urlFields.get(field);
  return object && `https://images.example${signer.sign(objectKey(version, ...object))}`;
}

/** An example of a schema: its own `example` if it has one, else by field name, else by type. */
export class Examples {
  constructor(private readonly components: Readonly<Record<string, Json>>) {}

  of(schema: Json, name = '', above: readonly string[] = []): unknown {
    if (typeof schema.$ref === 'string') return this.#ofComponent(schema.$ref, name, above);
    if ('example' in schema) return schema.example;
    if (name in samples && accepts(schema, samples[name])) return samples[name];
    const choice = ((schema.anyOf ?? schema.oneOf) as Json[] | undefined)?.[0];
    if (choice) return this.of(choice, name, above);
    if (schema.default !== undefined) return schema.default;
    return ofShape(schema, name, (inner, key) => this.of(inner, key, above));
  }

  #ofComponent(ref: string, name: string, above: readonly string[]): unknown {
    // Stops the recursion of trees.
    const component = this.components[ref.replace('#/components/schemas/', '')];
    return component && !above.includes(ref)
      ? this.of(component, name, [...above, ref])
      : undefined;
  }
}

function ofShape(
  schema: Json,
  name: string,
  inner: (schema: Json, name: string) => unknown,
): unknown {
  const [type] = [schema.type].flat();
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([key, property]) => [
          key,
          inner(property, key),
        ]),
      );
    case 'array': {
      const item = inner((schema.items ?? {}) as Json, name);
      return item === undefined ? [] : [item];
    }
    case 'integer':
    case 'number':
      return Math.max(Number(schema.minimum ?? 0), 0);
    case 'boolean':
      return schema.const ?? false;
    default:
      return ofText(schema, name);
  }
}

function ofText(schema: Json, name: string): unknown {
  const [first] = (schema.enum ?? []) as unknown[];
  if (schema.const !== undefined) return schema.const;
  if (first !== undefined) return first;
  if (schema.format === 'uuid') return exampleId;
  if (typeof schema.pattern === 'string') {
    const written = new RegExp(schema.pattern);
    return times.find((time) => written.test(time));
  }
  return exampleUrl(name) ?? 'text';
}

/** The named example may be for a field of the same name but another type elsewhere. */
function accepts(schema: Json, sample: unknown): boolean {
  if (schema.enum) return (schema.enum as unknown[]).includes(sample);
  if (schema.anyOf) return (schema.anyOf as Json[]).some((one) => accepts(one, sample));
  const types = [schema.type].flat();
  if (sample === null) return types.includes('null');
  if (Array.isArray(sample)) return types.includes('array');
  if (typeof sample === 'number') return types.includes('number') || types.includes('integer');
  return types.includes(typeof sample);
}
