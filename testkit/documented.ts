import assert from 'node:assert/strict';

interface ErrorContent {
  readonly schema: { readonly allOf: readonly [unknown, { readonly properties: CodeSchema }] };
}
interface CodeSchema {
  readonly error: { readonly properties: { readonly code: { readonly enum: readonly string[] } } };
}
interface ResponseObject {
  readonly $ref?: string;
  readonly content?: { readonly 'application/json'?: ErrorContent };
}

/** The parts of an OpenAPI document that are used here. */
export interface ApiDocument {
  readonly paths: Record<string, Record<string, { responses: Record<string, ResponseObject> }>>;
  readonly components: { readonly responses: Record<string, ResponseObject> };
}

/** Reads the OpenAPI document of a server. */
export async function readDocument(base: string): Promise<ApiDocument> {
  const answer = await fetch(new URL('/openapi.json', base));
  if (!answer.ok) throw new Error(`${base} returned ${answer.status} for /openapi.json`);
  return (await answer.json()) as ApiDocument;
}

interface Documented {
  readonly name: string;
  readonly method: string;
  readonly pattern: RegExp;
  /** Such as `400 invalid_field`, or only the status if it is no error; 200 is always allowed. */
  readonly answers: ReadonlySet<string>;
}

/** Checks that answers have only statuses and codes that the server's OpenAPI document lists. */
export class DocumentedAnswers {
  #operations: Promise<readonly Documented[]> | undefined;

  /** @param read reads the document, at the first answer that is not a 200. */
  constructor(private readonly read: () => Promise<ApiDocument>) {}

  /** @param path without query; paths that belong to no operation may answer anything. */
  async check(method: string, path: string, response: Response): Promise<void> {
    if (response.status === 200 || method === 'HEAD') return; // its errors have no body
    const operations = await (this.#operations ??= this.read().then(documented));
    // Match the path before the method: /images/count is not /images/{image_id}.
    const pattern = operations.find((one) => one.pattern.test(path))?.pattern.source;
    const operation = operations.find(
      (one) => one.pattern.source === pattern && one.method === method.toLowerCase(),
    );
    if (!operation) return;
    const answer = await answerOf(response);
    assert.ok(operation.answers.has(answer), `${operation.name} answers ${answer}: not documented`);
  }
}

async function answerOf(response: Response): Promise<string> {
  if (response.status < 400) return String(response.status);
  const { error } = (await response.clone().json()) as { error?: { code?: string } };
  return `${response.status} ${error?.code}`;
}

/** The operations of a document, paths with fewer placeholders first. */
function documented({ paths, components }: ApiDocument): Documented[] {
  const placeholders = (path: string): number => path.split('{').length;
  return Object.entries(paths)
    .sort(([a], [b]) => placeholders(a) - placeholders(b))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, { responses }]) => ({
        name: `${method} ${path}`,
        method,
        pattern: new RegExp(`^${path.replace('{index}', '.+').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
        answers: new Set(answersOf(responses, components.responses)),
      })),
    );
}

function answersOf(
  responses: Record<string, ResponseObject>,
  shared: Record<string, ResponseObject>,
): string[] {
  return Object.entries(responses).flatMap(([status, { $ref, ...own }]) => {
    if (status === '200') return [];
    const { content } = $ref === undefined ? own : (shared[$ref.split('/').at(-1) ?? ''] ?? own);
    if (Number(status) < 400) return [status];
    const codes = content?.['application/json']?.schema.allOf[1].properties.error.properties.code;
    return (codes?.enum ?? []).map((code) => `${status} ${code}`);
  });
}
