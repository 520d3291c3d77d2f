import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '../../../testkit/client.js';
import { operationsOf, type Json, type OpenApi } from './document.js';

const methods = ['get', 'post', 'put', 'delete', 'patch'];
const concrete = (path: string) =>
  path.replaceAll(/\{\w+\}/g, '0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01');

export function testOperations(document: OpenApi, client: Client): void {
  const operations = operationsOf(document);

  describe('every operation', () => {
    test('is in one of the groups, and every group has operations', () => {
      const used = new Set(operations.flatMap(({ operation }) => operation.tags));
      assert.deepEqual(document.tags.map(({ name }) => name).sort(), [...used].sort());
      for (const { description } of document.tags) assert.ok(description);
    });

    test('has a unique name', () => {
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
        for (const { name, schema, required, ...parameter } of parameters) {
          assert.ok(Object.keys(schema).length > 0, `${name} has a schema`);
          // Swagger UI fills in required fields, except ids, which the document cannot know.
          assert.ok(
            (required && parameter.in === 'query' ? 'example' : 'examples') in schema,
            name,
          );
        }
        for (const { schema, examples } of Object.values(requestBody?.content ?? {})) {
          const { properties = {}, required = [] } = schema as Partial<Record<string, Json>>;
          assert.deepEqual(Object.keys(examples.required?.value ?? {}), required);
          for (const [name, field] of Object.entries(properties as Record<string, Json>)) {
            const expected = (required as string[]).includes(name) ? 'example' : 'examples';
            assert.ok(expected in field || field.format === 'binary', name);
          }
        }
        for (const status of [400, 500, 503]) assert.ok(String(status) in responses, `${status}`);
        const content = responses[200]?.content as
          Record<string, { example?: unknown }> | undefined;
        for (const [type, { example }] of Object.entries(content ?? {})) {
          assert.ok(type !== 'application/json' || example !== undefined, 'an example');
        }
      });

      test(`${method} ${path} is served with and without a trailing slash`, async () => {
        for (const url of [concrete(path), `${concrete(path)}/`]) {
          const { status, headers } = await client.raw(method.toUpperCase(), url);
          const [scheme] = security.flatMap((one) => Object.keys(one));
          // The id is no secret of a link; nobody has a cookie.
          const refused = path.startsWith('/s/') ? 404 : path.endsWith('/auth/session') ? 401 : 400;
          const withoutToken = method === 'options' ? 204 : refused;
          assert.equal(status, scheme ? 401 : withoutToken);
          assert.ok(!scheme || headers.get('www-authenticate')?.startsWith(scheme));
        }
      });
    }
  });

  describe('every path', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      test(`${path} answers only methods that are in the document`, async () => {
        const url = concrete(path);
        const described = Object.keys(item);
        for (const method of methods.filter((name) => !described.includes(name))) {
          const { status, headers } = await client.request(method.toUpperCase(), url);
          assert.equal(status, 405, method);
          const allowed = (headers.get('allow') ?? '').toLowerCase().split(', ');
          assert.ok(allowed.every((name) => name === 'head' || described.includes(name)));
        }
      });
    }
  });
}
