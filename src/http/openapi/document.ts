import type { Operation } from '../operation.js';
import { describeOperation, templateOf } from './describe.js';
import { errorExamples, errorResponses, errorSchemas } from './errors.js';
import { Examples } from './examples.js';
import type { Json } from './json-schema.js';
import { SchemaWriter } from './json-schema.js';
import { tagList } from './tags.js';

export interface DocumentFacts {
  readonly version: string;
  /** Where clients reach the API; by default where they got the document from. */
  readonly publicUrl: string | undefined;
}

/** The OpenAPI 3.1 document of these operations. */
export function openApiDocument(operations: readonly Operation[], facts: DocumentFacts): Json {
  const schemas = new SchemaWriter();
  const tools = { schemas, examples: new Examples(schemas.components) };
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const item = (paths[templateOf(operation.path)] ??= {});
    item[operation.method] = describeOperation(operation, tools);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'imgstore', version: facts.version, description: conventions },
    servers: [{ url: facts.publicUrl?.replace(/\/+$/, '') ?? '/' }],
    tags: tagList,
    paths,
    components: {
      schemas: { ...schemas.components, ...errorSchemas },
      responses: errorResponses,
      examples: errorExamples(operations),
      securitySchemes: {
        Admin: scheme('Admin', 'administrators; made by `imgstore admin token`'),
        Platform: scheme('Platform', 'a platform; made with the platform'),
        User: scheme('User', 'a user; made with the user'),
      },
    },
  };
}

const scheme = (word: string, whose: string): Json => ({
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description: `The value is \`${word} <access token>\`: tokens of ${whose}.`,
});

const conventions = `Every JSON answer is \`{status_code, message, result}\`; failures carry \`error\` beside them.
Every path answers the same with and without a slash at its end. Bodies may be multipart forms,
urlencoded forms or JSON. Fields that the interface puts into the body are taken from the query too,
and the other way round, but for \`refresh_token\`; unknown ones are ignored. Booleans are \`True\` and \`False\` in any case, or
JSON booleans; the third state is \`None\` or \`null\`. Times are \`YYYYMMDD_HHMMSS\` in the server's time
zone. One megabyte has 1,048,576 bytes.

What carries \`x-ext\` is not part of the original interface: clients written for that never need it.`;
