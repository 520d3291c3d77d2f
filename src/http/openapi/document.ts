import type { Operation } from '../operation.js';
import { describeOperation, templateOf } from './describe.js';
import { errorExamples, errorResponses, errorSchemas } from './errors.js';
import { Examples } from './examples.js';
import type { Json } from './json-schema.js';
import { SchemaWriter } from './json-schema.js';
import { tagList } from './tags.js';

export interface DocumentInfo {
  readonly version: string;
  /** Public base URL of the API; defaults to the one the document was fetched from. */
  readonly publicUrl: string | undefined;
}

/** The OpenAPI 3.1 document of these operations. */
export function openApiDocument(operations: readonly Operation[], info: DocumentInfo): Json {
  const schemas = new SchemaWriter();
  const tools = { schemas, examples: new Examples(schemas.components) };
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const item = (paths[templateOf(operation.path)] ??= {});
    item[operation.method] = describeOperation(operation, tools);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'imgstore', version: info.version, description: conventions },
    servers: [{ url: info.publicUrl?.replace(/\/+$/, '') ?? '/' }],
    tags: tagList,
    paths,
    components: {
      schemas: { ...schemas.components, ...errorSchemas },
      responses: errorResponses,
      examples: errorExamples(operations),
      securitySchemes: {
        Admin: scheme('Admin', 'an administrator; issued by `imgstore admin token`'),
        Platform: scheme('Platform', 'a platform; issued when the platform is created'),
        User: scheme('User', 'a user; issued when the user is created'),
      },
    },
  };
}

const scheme = (word: string, whose: string): Json => ({
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description: `The value is \`${word} <access token>\`, with the token of ${whose}.`,
});

const conventions = `Every JSON answer is \`{status_code, message, result}\`; failures also carry \`error\`.
A trailing slash makes no difference. Bodies may be multipart forms, URL-encoded forms, or JSON.
Fields documented in the body are also accepted in the query, and vice versa, except for
\`refresh_token\`; unknown fields are ignored. Booleans are \`True\` and \`False\` in any case, or
JSON booleans; the third state is \`None\` or \`null\`. Times are \`YYYYMMDD_HHMMSS\` in the server's time
zone. One megabyte has 1,048,576 bytes.

Anything marked \`x-ext\` is an extension of the original interface; clients written for that
interface do not need it.`;
