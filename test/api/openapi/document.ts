export type Json = Record<string, unknown>;

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Json;
}

export interface Content {
  readonly schema: Json;
  readonly examples: Record<string, { readonly summary: string; readonly value: Json }>;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Record<string, unknown>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { content: Record<string, Content> };
  readonly responses: Record<string, Json>;
}

export interface OpenApi {
  readonly openapi: string;
  readonly info: {
    readonly description: string;
    readonly license: { readonly identifier: string };
  };
  readonly tags: readonly { name: string; description: string }[];
  readonly paths: Record<string, Record<string, DescribedOperation>>;
  readonly components: { schemas: Record<string, Json>; securitySchemes: Json };
}

/** All operations of a document, with their locations. */
export const operationsOf = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

/** Every value under any key, with its path. */
export function* entriesOf(value: unknown, at = '#'): Generator<[string, unknown]> {
  yield [at, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield* entriesOf(inner, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

/** Resolves a reference within the document. */
export function resolve(document: OpenApi, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>(
    (value, step) => (value as Json)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
}
