import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import openapiTS from 'openapi-typescript';
import { catalogue } from '../../src/errors/catalogue.js';
import { testService } from '../../testkit/service.js';

type Json = Record<string, unknown>;

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Record<string, unknown>[];
  readonly parameters: readonly { name: string; in: string; schema: Json; example: unknown }[];
  readonly requestBody?: { content: Record<string, { schema: Json; example: unknown }> };
  readonly responses: Record<string, Json>;
}

const service = await testService({ after });
const { client } = service;
const answer = await client.raw('GET', '/openapi.json');
const document = (await answer.json()) as {
  openapi: string;
  tags: readonly { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Json>; securitySchemes: Json };
};
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);
const methods = ['get', 'post', 'put', 'delete'];
const concrete = (path: string) =>
  path.replaceAll(/\{\w+\}/g, '0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01');

/** Every value under any key of the document, with its path. */
function* entriesOf(value: unknown, at = '#'): Generator<[string, unknown]> {
  yield [at, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield* entriesOf(inner, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

function resolve(pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>(
    (value, step) => (value as Json)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
}

describe('/openapi.json', () => {
  test('is an OpenAPI 3.1 document that a generator of types reads', async () => {
    assert.match(document.openapi, /^3\.1\./);
    const types = await openapiTS(structuredClone(document) as never, { silent: true });
    assert.ok(types.length > 0);
  });

  test('is sent once to a client that has it', async () => {
    const again = await client.raw('GET', '/openapi.json', {
      headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
    });
    assert.equal(again.status, 304);
  });

  test('points to nothing that is not there, and uses every component', () => {
    const pointers = new Set<string>();
    for (const [at, value] of entriesOf(document)) {
      if (!at.endsWith('/$ref')) continue;
      assert.notEqual(resolve(String(value)), undefined, `${at}: ${String(value)}`);
      pointers.add(String(value));
    }
    for (const name of Object.keys(document.components.schemas)) {
      assert.ok(pointers.has(`#/components/schemas/${name}`), `nothing uses ${name}`);
    }
  });

  test('requires no property that it does not describe', () => {
    for (const [at, value] of entriesOf(document)) {
      const { required, properties } = (value ?? {}) as { required?: string[]; properties?: Json };
      if (!Array.isArray(required) || !properties) continue;
      for (const name of required) assert.ok(name in properties, `${at}: ${name}`);
    }
  });

  test('has the whole catalogue of errors, each code with its status and sentence', () => {
    const { enum: codes, description } = document.components.schemas.ErrorCode as {
      enum: string[];
      description: string;
    };
    assert.deepEqual(codes, Object.keys(catalogue));
    for (const [code, { status, message }] of Object.entries(catalogue)) {
      assert.ok(description.includes(`\`${code}\` (${status}): ${message}`), code);
    }
  });
});

/** Each schema of the document that has an example beside or in it, with where it stands. */
function* examples(): Generator<[at: string, example: unknown]> {
  for (const [at, value] of entriesOf(document)) {
    const {
      schema,
      example,
      examples: named = {},
    } = (value ?? {}) as Partial<Record<string, Json>>;
    if (at.endsWith('/properties')) continue; // a field may be called "example"
    if (example !== undefined) yield [schema ? `${at}/schema` : at, example];
    for (const { $ref } of Object.values(schema ? named : {}) as { $ref: string }[]) {
      yield [`${at}/schema`, (resolve($ref) as { value: unknown }).value];
    }
  }
}

describe('examples', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'api:/');

  test('are what their schemas say', () => {
    let held = 0;
    for (const [at, example] of examples()) {
      const pointer = at.split('/').map(encodeURIComponent).join('/').slice('%23'.length);
      const fine = ajv.validate({ $ref: `api:/#${pointer}` }, example);
      assert.ok(fine, `${at}: ${ajv.errorsText()}: ${JSON.stringify(example)}`);
      held += 1;
    }
    assert.ok(held > operations.length * 3, `${held} examples`);
  });

  test('have addresses as they are signed', () => {
    const text = JSON.stringify(document);
    const addresses = text.match(/https:[^"]+\/files\/[^"]+/g) ?? [];
    assert.ok(addresses.length > 3);
    for (const address of addresses) {
      const id = '[0-9a-f-]{36}';
      const key = `(${id}/){4}(original|display|thumb)\\.\\w+`;
      assert.match(address, new RegExp(`/files/${key}\\?exp=\\d+&sig=[\\w-]{28}$`));
    }
  });
});

describe('errors', () => {
  const codesOf = (id: string, status: number): string[] => {
    const { operation } = operations.find((one) => one.operation.operationId === id) ?? {};
    const { $ref, ...own } = (operation?.responses[status] ?? {}) as { $ref?: string };
    const { content } = ($ref === undefined ? own : resolve($ref)) as {
      content?: Record<string, { schema: unknown; examples: object }>;
    };
    const { schema, examples = {} } = content?.['application/json'] ?? {};
    const [codes = []] = [...entriesOf(schema)].flatMap(([at, value]) =>
      at.endsWith('/code/enum') ? [value as string[]] : [],
    );
    assert.deepEqual(Object.keys(examples), codes, 'an example of each');
    return codes;
  };
  const always = ['malformed_request', 'invalid_field'];
  const late = ['upload_interrupted'];

  test('are those that the operation declares, and those of its kind', () => {
    assert.deepEqual(codesOf('listPlatforms', 400), [...always, ...late]);
    assert.deepEqual(codesOf('getImage', 400), [...always, 'image_not_found', ...late]);
    const [first, second] = always;
    assert.deepEqual(codesOf('createFolder', 400), [
      ...[first, 'missing_field', second, 'user_not_found', 'folder_not_found', 'folder_exists'],
      ...['folder_too_deep', 'folder_in_trash', ...late],
    ]);
    for (const code of ['storage_quota_exceeded', 'corrupt_image', 'missing_field']) {
      assert.ok(codesOf('addFiledata', 400).includes(code), code);
    }
  });

  test('are 403 where a token is good for one tenant only', () => {
    for (const { operation } of operations) {
      const [scheme = 'none'] = operation.security.flatMap((one) => Object.keys(one));
      const tenants = ['Platform', 'User'].includes(scheme);
      assert.deepEqual(codesOf(operation.operationId, 403), tenants ? ['forbidden'] : []);
      assert.equal(codesOf(operation.operationId, 401).length, 3);
    }
  });
});

/** Names of the marked properties in these schemas. */
const markedIn = (schema: unknown): string[] =>
  [...entriesOf(schema)].flatMap(([at, value]) =>
    (value as Json | null)?.['x-ext'] === true ? [at.split('/').at(-1) ?? ''] : [],
  );

describe('x-ext', () => {
  const form = 'application/x-www-form-urlencoded';

  test('marks what the interface does not have, and nothing else', () => {
    const marked = operations.flatMap(({ operation }) => {
      const { operationId: id, parameters, requestBody, responses } = operation;
      const body = requestBody?.content[form]?.schema.properties;
      const content = responses[200]?.content as Record<string, { schema: Json }>;
      return [
        ...('x-ext' in operation ? [id] : []),
        ...parameters
          .filter((parameter) => 'x-ext' in parameter)
          .map(({ name }) => `${id}?${name}`),
        ...markedIn(body).map((name) => `${id}(${name})`),
        ...markedIn(content['application/json']).map((name) => `${id} ${name}`),
      ];
    });
    const components = Object.entries(document.components.schemas).flatMap(([component, schema]) =>
      markedIn(schema).map((name) => `${component}.${name}`),
    );
    const account = ['used_storage_mb', 'trash_image_count'];
    assert.deepEqual(
      [...marked, ...components].sort(),
      [
        'Filedata.is_incomplete',
        ...['Image.distance_m', 'Image.hashdata', 'Image.is_incomplete', 'Image.taken_at'],
        ...['Image.thumb_url', 'Image.thumbhash'],
        'createPlatform(platform)',
        'getImage?with_history',
        ...['getPlatform', 'getPlatformInfo'].map((id) => `${id} user_count`),
        ...['getPlatformUserInfo', 'getUserInfo', 'updateUser'].flatMap((id) =>
          account.map((name) => `${id} ${name}`),
        ),
        'listImages?radius',
        ...['shareImages', 'updateImage'].flatMap((id) =>
          ['with_memo', 'with_custom', 'with_history'].map((name) => `${id}?${name}`),
        ),
        'listPlatforms user_count',
        'refreshToken',
      ].sort(),
    );
  });

  test('marks bodies of JSON, since the interface has forms only', () => {
    for (const { operation } of operations) {
      const { 'application/json': json, ...forms } = operation.requestBody?.content ?? {};
      assert.ok(!json || 'x-ext' in json, operation.operationId);
      for (const body of Object.values(forms)) assert.ok(!('x-ext' in body));
    }
  });
});

describe('every operation', () => {
  test('is in one of the groups, and every group has operations', () => {
    const used = new Set(operations.flatMap(({ operation }) => operation.tags));
    assert.deepEqual(document.tags.map(({ name }) => name).sort(), [...used].sort());
    for (const { description } of document.tags) assert.ok(description);
  });

  test('has a name of its own', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    assert.deepEqual([...new Set(names)], names);
  });

  for (const { path, method, operation } of operations) {
    const { parameters, requestBody, responses, security, tags } = operation;

    test(`${method} ${path} is described in full`, () => {
      assert.ok(operation.summary.length > 0);
      assert.ok(tags.length === 1 && tags[0] !== 'other', 'a tag that tells the resource');
      for (const scheme of security.flatMap((one) => Object.keys(one))) {
        assert.ok(scheme in document.components.securitySchemes, scheme);
      }
      const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const described = parameters.filter((p) => p.in === 'path').map(({ name }) => name);
      assert.deepEqual(described, placeholders);
      for (const { name, schema, example } of parameters) {
        assert.ok(Object.keys(schema).length > 0, `${name} has a schema`);
        assert.notEqual(example, undefined, `${name} has an example`);
      }
      for (const { schema, example } of Object.values(requestBody?.content ?? {})) {
        assert.deepEqual(Object.keys(example as Json), Object.keys(schema.properties as Json));
      }
      for (const status of [400, 500, 503]) assert.ok(String(status) in responses, `${status}`);
      const content = responses[200]?.content as Record<string, { example?: unknown }>;
      for (const [type, { example }] of Object.entries(content)) {
        assert.ok(type !== 'application/json' || example !== undefined, 'an example');
      }
    });

    test(`${method} ${path} is served, with and without a slash at its end`, async () => {
      for (const address of [concrete(path), `${concrete(path)}/`]) {
        const { status, headers } = await client.request(method.toUpperCase(), address);
        const [scheme] = security.flatMap((one) => Object.keys(one));
        assert.equal(status, scheme ? 401 : 400);
        assert.ok(!scheme || headers.get('www-authenticate')?.startsWith(scheme));
      }
    });
  }
});

describe('every path', () => {
  for (const [path, item] of Object.entries(document.paths)) {
    test(`${path} answers no method that the document lacks`, async () => {
      const address = concrete(path);
      const described = Object.keys(item);
      for (const method of methods.filter((name) => !described.includes(name))) {
        const { status, headers } = await client.request(method.toUpperCase(), address);
        assert.equal(status, 405, method);
        const allowed = (headers.get('allow') ?? '').toLowerCase().split(', ');
        assert.ok(allowed.every((name) => name === 'head' || described.includes(name)));
      }
    });
  }
});

describe('/docs', () => {
  test('shows the document by the shipped Swagger UI alone', async () => {
    const page = await client.raw('GET', '/docs');
    assert.equal(page.status, 200);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    const html = await page.text();
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    assert.equal(links.length, 4);
    for (const link of links) {
      assert.ok(link.startsWith('/docs/'), link);
      const asset = await client.raw('GET', link);
      assert.equal(asset.status, 200, link);
      assert.ok((await asset.arrayBuffer()).byteLength > 0);
    }
  });

  test('gives nothing else out of the package', async () => {
    for (const name of ['package.json', 'swagger-ui.js', '..%2fpackage.json']) {
      assert.equal((await client.raw('GET', `/docs/${name}`)).status, 404, name);
    }
  });
});
