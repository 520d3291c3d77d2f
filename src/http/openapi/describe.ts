import { successMessage } from '../envelope.js';
import { replayedHeader, keyHeader } from '../idempotency/keyed-requests.js';
import { type Protocol, schemesOf, streamsOf, takesKeys, type Operation } from '../operation.js';
import { ext } from '../record-fields.js';
import { describeErrors, type SharedErrors } from './errors.js';
import { type Examples, type Json, withExample, type SchemaWriter } from './schemas.js';

/** Helpers shared by the parts of a document. */
interface Tools {
  readonly schemas: SchemaWriter;
  readonly examples: Examples;
  readonly errors: SharedErrors;
}

const statistics = { name: 'Statistics', description: 'usage of platforms, per day and in total' };
const images = { name: 'Images', description: 'upload, lists, search, locations, trash' };
const custody = { name: 'Chain of custody', description: 'what has happened, provable to others' };
const changes = { name: 'Changes', description: 'what has changed, as it happens' };

/** Groups of operations, in page order, by the resource word of their paths. */
const tags: Record<string, { readonly name: string; readonly description: string }> = {
  platforms: {
    name: 'Platforms',
    description: 'applications whose users store images; created by administrators',
  },
  users: { name: 'Users', description: 'users of platforms; each owns folders and images' },
  folders: { name: 'Folders', description: 'folder trees, with a trash' },
  images,
  trash: images,
  map: { name: 'Map', description: 'vector tiles, clusters' },
  filedata: { name: 'Filedata', description: 'edited versions of images' },
  uploads: { name: 'Uploads that resume', description: 'tus 1.0.0' },
  'upload-sets': {
    name: 'Upload sets',
    description: 'files that belong together, until all are safe',
  },
  links: { name: 'Links', description: 'opening images to people without an account' },
  s: { name: 'Visitors', description: 'for people who have a link, without a token' },
  memos: { name: 'Memos', description: 'notes on images' },
  customs: { name: 'Customs', description: 'key/value pairs on images' },
  changes,
  snapshot: changes,
  webhooks: { name: 'Webhooks', description: 'changes sent to platforms as they happen' },
  stats: statistics,
  statistics,
  tokens: { name: 'Narrow tokens', description: 'tokens that can do no more than their job' },
  auth: { name: 'Tokens', description: 'token refresh, and signing in to the console' },
  log: custody,
  proof: custody,
  audit: { name: 'Audit', description: 'who did what' },
  status: { name: 'Installation', description: 'its health, contents, and upkeep' },
};

export const tagList = [...new Set(Object.values(tags))];

/** The tag for the last fixed path segment that names a resource; one for all paths of links. */
function tagOf(path: string): string {
  if (path.startsWith('/s/')) return tags.s?.name ?? '';
  const words = path.split('/').filter((word) => tags[word] !== undefined);
  return tags[words.at(-1) ?? '']?.name ?? 'other';
}

interface Fields {
  readonly properties?: Record<string, Json>;
  readonly required?: readonly string[];
}

/** Alternative fields and names, and fields that are valid for one file, or for a while, only. */
const omittedFromExample = new Set([
  'lat',
  'lng',
  'image_hash',
  'expires_at',
  'changes',
  'purge',
  'taken_at',
  'jwks',
]);

/**
 * OpenAPI 3.1 has `contentMediaType` for this, but client generators recognize a file by the format
 * of OpenAPI 3.0.
 */
const file: Json = {
  type: 'string',
  format: 'binary',
  description: 'the picture: JPEG, PNG, WebP, GIF, TIFF, AVIF or HEIC, recognized by its content',
};

/** The request body of an operation, in every accepted media type. */
function requestBody({ body, upload }: Operation, tools: Tools): Json | undefined {
  if (!body && !upload) return undefined;
  const { properties = {}, required: needed = [] } = (
    body ? tools.schemas.input(body) : {}
  ) as Fields;
  const all = { ...(upload && { [upload.part]: file }), ...properties };
  const required = [...(upload ? [upload.part] : []), ...needed];
  const schema = { type: 'object', properties: all, ...(required.length > 0 && { required }) };
  const values = tools.examples.of(schema) as Json;
  const content = {
    schema: { ...schema, properties: exemplified(all, values, required) },
    examples: bodyExamples(values, required),
  };
  return {
    required: required.length > 0,
    content: upload
      ? { 'multipart/form-data': content }
      : {
          'application/x-www-form-urlencoded': content,
          'multipart/form-data': content,
          'application/json': { ...content, ...ext },
        },
  };
}

const exemplified = (
  properties: Record<string, Json>,
  values: Json,
  required: readonly string[],
): Json =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      schema === file ? schema : withExample(schema, values[name], required.includes(name)),
    ]),
  );

/** Two examples: the required fields, which Swagger UI shows first, and all fields. */
function bodyExamples(values: Json, required: readonly string[]): Json {
  const only = (wanted: (name: string) => boolean): Json =>
    Object.fromEntries(Object.entries(values).filter(([name]) => wanted(name)));
  const minimal = only((name) => required.includes(name));
  const isAlternative = (name: string): boolean =>
    ['image_ids', 'user_id'].includes(name) && 'folder_id' in values;
  const complete = only((name) => !omittedFromExample.has(name) && !isAlternative(name));
  return {
    required: { summary: 'Required fields', value: minimal },
    ...(Object.keys(complete).length > Object.keys(minimal).length && {
      complete: { summary: 'All fields', value: complete },
    }),
  };
}

/** Descriptions of path parameters: where a client gets each id. */
const sources: Record<string, string> = {
  platform_id: '`id` of the answer that created the platform; the subject (`sub`) of its token',
  user_id:
    '`user_id` of the answer that created the user; the subject (`sub`) of the token. `me` is the user of the token',
  folder_id: '`id` of a folder',
  image_id: '`id` of an image',
  memo_id: '`id` of one of the memos of the image',
  custom_id: '`id` of one of the customs of the image',
  link_id: '`id` of a link',
  secret: 'the part after /s/ of the URL of a link',
  hold_id: '`id` of a hold of the platform',
  token_id: '`id` of a narrow token',
  session_id: '`id` of a session of the user',
  webhook_id: '`id` of a webhook of the platform',
  upload_id: 'the last part of the `Location` of an upload',
  level: 'of the tile, from the leaves: 0 to 63; or `entries`',
  index: 'of the tile in its level, such as `x001/234`, with `.p/` and its width if it is not full',
  z: 'zoom',
  x: 'column of the tile, from the west: less than 2 to the power of z',
  y: 'row of the tile, from the north: less than 2 to the power of z',
};

const ids = { type: 'string', examples: ['0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01'] };

/** Schemas of the coordinates of a map tile. */
const numbers: Record<string, Json> = {
  level: { type: 'string', examples: ['0'] },
  index: { type: 'string', examples: ['000.p/7'] },
  z: { type: 'integer', minimum: 0, maximum: 22, examples: [11] },
  x: { type: 'integer', minimum: 0, maximum: 4_194_303, examples: [1746] },
  y: { type: 'integer', minimum: 0, maximum: 4_194_303, examples: [793] },
};

/** Without `example`, which Swagger UI would prefill with an id that no server has. */
const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: sources[name],
    schema: numbers[name] ?? ids,
  }));

/** The header of operations that accept keys. */
const keyParameters = (operation: Operation): Json[] =>
  takesKeys(operation) || operation.readsKey
    ? [
        {
          name: keyHeader,
          in: 'header',
          required: false,
          description:
            'identifies a request across repeats, so that it is executed only once: 1 to 255 visible ASCII characters, such as a UUID',
          ...ext,
          schema: {
            type: 'string',
            pattern: '^[!-~]{1,255}$',
            examples: ['0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b09'],
          },
        },
      ]
    : [];

function queryParameters({ query }: Operation, { schemas, examples }: Tools): Json[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemas.input(query) as Fields;
  return Object.entries(properties).map(([name, { description, 'x-ext': ours, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    ...(ours === true && ext),
    schema: withExample(schema, examples.of(schema, name), required.includes(name)),
  }));
}

/** `/users/:user_id` → `/users/{user_id}` */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

/** The operation object of the document. */
export function describeOperation(operation: Operation, tools: Tools): Json {
  const { id, summary, path, method, ext: ours, protocol } = operation;
  const body = method === 'get' ? undefined : requestBody(operation, tools);
  return {
    operationId: id,
    summary,
    tags: [tagOf(path)],
    ...(ours && ext),
    'x-allow': operation.allow,
    ...(operation.allowFields && { 'x-allow-fields': operation.allowFields }),
    security: schemesOf(operation).map((scheme) => ({ [scheme]: [] })),
    parameters: [
      ...pathParameters(path),
      ...queryParameters(operation, tools),
      ...keyParameters(operation),
      ...askedHeaders(protocol?.asks ?? {}),
    ],
    ...(body && { requestBody: body }),
    ...(protocol?.bytes !== undefined && { requestBody: bytesOfFile(protocol.bytes) }),
    responses: {
      ...(protocol ? answersOf(protocol) : { 200: success(operation, tools) }),
      ...(operation.versioned && versions(operation)),
      ...describeErrors(operation, tools.errors),
    },
  };
}

const askedHeaders = (asks: Protocol['asks']): Json[] =>
  Object.entries(asks).map(([name, { description, example, required = false }]) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string', examples: [example] },
  }));

const bytesOfFile = (type: string): Json => ({
  required: false,
  content: { [type]: { schema: { type: 'string', format: 'binary' }, examples: {} } },
});

/** Answers of a protocol, which have no body. */
const answersOf = ({ answers }: Protocol): Json =>
  Object.fromEntries(
    Object.entries(answers).map(([status, [description, ...headers]]) => [
      status,
      {
        description,
        headers: Object.fromEntries(headers.map((name) => [name, { schema: { type: 'string' } }])),
      },
    ]),
  );

/** Headers of operations that accept keys. */
const replayedHeaders = {
  [replayedHeader]: {
    description: 'true if this is the answer of an earlier request with the same key',
    schema: { type: 'string', enum: ['true'] },
    ...ext,
  },
};

/** The additional responses of operations that have an ETag. */
const versions = ({ stream }: Operation): Json => ({
  ...(stream !== undefined && { 204: { description: 'The resource is empty' } }),
  304: { description: 'Not changed since the ETag in If-None-Match' },
});

const bytesOf = (operation: Operation): Json =>
  Object.fromEntries(
    streamsOf(operation).map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
  );

function success(operation: Operation, { schemas, examples }: Tools): Json {
  const { result } = operation;
  const schema = schemas.output(result);
  if (operation.bare) {
    const bodies = streamsOf(operation).map((type) => [
      type,
      { schema, ...(type.endsWith('json') && { example: examples.of(schema) }) },
    ]);
    return { description: 'Success', content: Object.fromEntries(bodies) as Json };
  }
  return {
    description: 'Success',
    ...(takesKeys(operation) && { headers: replayedHeaders }),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['status_code', 'message', 'result'],
          properties: {
            status_code: { type: 'integer', const: 200 },
            message: { type: 'string', const: successMessage },
            result: schema,
          },
        },
        example: { status_code: 200, message: successMessage, result: examples.of(schema) },
      },
      ...bytesOf(operation),
    },
  };
}
