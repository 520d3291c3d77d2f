import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import openapiTS from 'openapi-typescript';
import { catalogue } from '../../src/errors/catalogue.js';
import { testService } from '../../testkit/service.js';
import { entriesOf, resolve } from './openapi/document.js';
import type { Json, OpenApi } from './openapi/document.js';
import { testErrors } from './openapi/errors.js';
import { testExamples } from './openapi/examples.js';
import { testExtensions } from './openapi/extensions.js';
import { testOperations } from './openapi/operations.js';

const { client } = await testService({ after });
const answer = await client.raw('GET', '/openapi.json');
const document = (await answer.json()) as OpenApi;

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
      assert.notEqual(resolve(document, String(value)), undefined, `${at}: ${String(value)}`);
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

testExamples(document);
testErrors(document);
testExtensions(document);
testOperations(document, client);

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
