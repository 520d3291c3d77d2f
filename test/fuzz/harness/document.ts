import type { Appliance } from '../../../testkit/appliance.js';

export interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
}

export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: FieldSchema;
}

export type Scheme = 'Admin' | 'Platform' | 'User';

/** An operation in the served OpenAPI document. */
export interface DocumentedOperation {
  readonly id: string;
  /** In uppercase. */
  readonly method: string;
  /** With `{name}` placeholders. */
  readonly path: string;
  /** Undefined for operations that need no token. */
  readonly scheme: Scheme | undefined;
  /** Other schemes that it accepts. */
  readonly otherSchemes: readonly Scheme[];
  readonly query: readonly Field[];
  readonly body: readonly Field[];
  /** Whether it takes a file, and therefore only multipart forms. */
  readonly upload: boolean;
}

interface Parameter extends Field {
  readonly in: string;
}

interface Content {
  readonly schema: {
    readonly properties: Record<string, FieldSchema>;
    readonly required?: readonly string[];
  };
}

interface OperationObject {
  readonly operationId: string;
  readonly security: readonly Record<string, unknown>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, Content> };
}

/** Uploads that resume speak another protocol, and have tests of their own. */
const isOfProtocol = (path: string): boolean => path.includes('/uploads');

/** All operations of the service's `/openapi.json` but those. */
export async function documentedOperations({ client }: Appliance): Promise<DocumentedOperation[]> {
  const answer = await client.raw('GET', '/openapi.json');
  const { paths } = (await answer.json()) as {
    paths: Record<string, Record<string, OperationObject>>;
  };
  const own = Object.entries(paths).filter(([path]) => !isOfProtocol(path));
  return own.flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => read(method, path, operation)),
  );
}

function read(method: string, path: string, operation: OperationObject): DocumentedOperation {
  const { operationId: id, security, parameters, requestBody } = operation;
  const [content] = Object.values(requestBody?.content ?? {});
  const { properties = {}, required = [] } = content?.schema ?? {};
  const [scheme, ...otherSchemes] = security.flatMap((one) => Object.keys(one)) as Scheme[];
  return {
    id,
    method: method.toUpperCase(),
    path,
    scheme,
    otherSchemes,
    query: parameters.filter((parameter) => parameter.in === 'query'),
    body: Object.entries(properties).map(([name, schema]) => ({
      name,
      schema,
      required: required.includes(name),
    })),
    upload: Object.values(properties).some((schema) => schema.format === 'binary'),
  };
}
