import type { Operation } from '../operation.js';
import { describeOperation, tagList, templateOf } from './describe.js';
import { errorExamples, errorResponses, errorSchemas, sharedErrors } from './errors.js';
import { Examples, type Json, SchemaWriter } from './schemas.js';

interface DocumentInfo {
  readonly version: string;
  /** Public base URL of the API; defaults to the one the document was fetched from. */
  readonly publicUrl: string | undefined;
}

/** The OpenAPI 3.1 document of these operations. */
export function openApiDocument(operations: readonly Operation[], info: DocumentInfo): Json {
  const schemas = new SchemaWriter();
  const errors = sharedErrors(operations);
  const tools = { schemas, examples: new Examples(schemas.components), errors };
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const item = (paths[templateOf(operation.path)] ??= {});
    item[operation.method] = describeOperation(operation, tools);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'imgstore',
      version: info.version,
      description: conventions,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: info.publicUrl?.replace(/\/+$/, '') ?? '/' }],
    tags: tagList,
    paths,
    components: {
      schemas: { ...schemas.components, ...errorSchemas },
      responses: errorResponses(errors),
      examples: errorExamples(operations),
      securitySchemes: {
        Admin: scheme('Admin', 'an administrator: `imgstore admin token` prints one'),
        Platform: scheme('Platform', 'a platform: `access_token` of the answer that created it'),
        User: scheme('User', 'a user: `access_token` of the answer that created the user'),
      },
    },
  };
}

/** Declared as `bearer`, so that Swagger UI and generated clients need only the token. */
const scheme = (word: string, whose: string): Json => ({
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: `The access token of ${whose}. It is sent as \`Authorization: ${word} <token>\`, or as \`Bearer <token>\`.`,
});

const conventions = `Every JSON answer is \`{status_code, message, result}\`; failures also carry \`error\`.
A trailing slash makes no difference. Bodies may be multipart forms, URL-encoded forms, or JSON.
Fields documented in the body are also accepted in the query, and vice versa, except for
\`refresh_token\`; unknown fields are ignored. Booleans are \`True\` and \`False\` in any case, or
JSON booleans; the third state is \`None\` or \`null\`. Times are \`YYYYMMDD_HHMMSS\` in the server's time
zone. One megabyte has 1,048,576 bytes.

A place is sent as \`latitude\` and \`longitude\`. Image records name it \`lat\` and \`lng\`, and uploads
and updates accept these names, too; if a field is sent under both, \`latitude\` and \`longitude\` count.

Each operation takes one kind of token, named by its scheme word: **Admin** creates platforms,
**Platform** creates and reads its users, **User** works with that user's folders and images. The token identifies its holder, so \`Bearer\` is accepted in place of the scheme word.

Anything marked \`x-ext\` is an extension of the original interface; clients written for that
interface do not need it.`;
