import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import openapiTS from 'openapi-typescript';
import { catalogue } from '../../src/base/errors/catalogue.js';
import { testService } from '../../testkit/service.js';
import { entriesOf, resolve, type Json, type OpenApi } from './openapi/document.js';
import { testErrors } from './openapi/errors.js';
import { testExamples } from './openapi/examples.js';
import { testExtensions } from './openapi/extensions.js';
import { testOperations } from './openapi/operations.js';
import { testTrials } from './openapi/tried.js';

const service = await testService();
const { client } = service;
const answer = await client.raw('GET', '/openapi.json');
const document = (await answer.json()) as OpenApi;

describe('/openapi.json', () => {
  test('is an OpenAPI 3.1 document that a type generator can read', async () => {
    assert.match(document.openapi, /^3\.1\./);
    const types = await openapiTS(structuredClone(document) as never, { silent: true });
    assert.ok(types.length > 0);
  });

  test('is not sent again to a client that has it', async () => {
    const again = await client.raw('GET', '/openapi.json', {
      headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
    });
    assert.equal(again.status, 304);
  });

  test('has no dangling references and no unused components', () => {
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

  test('has a name for every record, and a license', () => {
    const names = Object.keys(document.components.schemas);
    assert.deepEqual(
      names.filter((name) => name.startsWith('__')),
      [],
    );
    for (const name of ['Folder', 'FolderTree', 'Image', 'Place', 'Statistics', 'Tokens']) {
      assert.ok(names.includes(name), name);
    }
    assert.equal(document.info.license.identifier, 'Apache-2.0');
  });

  test('requires no property that it does not describe', () => {
    for (const [at, value] of entriesOf(document)) {
      const { required, properties } = (value ?? {}) as { required?: string[]; properties?: Json };
      if (!Array.isArray(required) || !properties) continue;
      for (const name of required) assert.ok(name in properties, `${at}: ${name}`);
    }
  });

  test('says under which names a place is sent, and under which it comes back', () => {
    assert.match(document.info.description, /sent as `latitude` and `longitude`.*`lat` and `lng`/s);
    const described = [...entriesOf(document)].flatMap(([at, value]) =>
      /\/properties\/(lat|lng)$/.test(at) ? [(value as Json).description] : [],
    );
    assert.ok(described.length > 4, 'of records and of requests');
    for (const text of described) assert.match(String(text), /latitude|longitude/);
  });

  test('has the whole catalog of errors, each code with its status and message', () => {
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
testTrials(document, service);

describe('/docs', () => {
  test('is sent compressed on request, each encoding with its own ETag', async () => {
    const tags = new Set<string | null>();
    for (const coding of ['gzip', 'identity']) {
      for (const path of ['/openapi.json', '/docs/swagger-ui-bundle.js']) {
        const { headers } = await client.raw('GET', path, {
          headers: { 'accept-encoding': coding },
        });
        assert.equal(headers.get('content-encoding'), coding === 'gzip' ? 'gzip' : null);
        assert.equal(headers.get('vary'), 'Accept-Encoding');
        tags.add(headers.get('etag'));
      }
    }
    assert.equal(tags.size, 4);
  });

  test('shows the document with the bundled Swagger UI only', async () => {
    const page = await client.raw('GET', '/docs');
    assert.equal(page.status, 200);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    const html = await page.text();
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    assert.equal(links.length, 4);
    for (const link of links) {
      // Relative, so that it is found below a prefix that a proxy strips.
      assert.ok(link.startsWith('docs/'), link);
      const asset = await client.raw('GET', `/${link}`);
      assert.equal(asset.status, 200, link);
      assert.ok((await asset.arrayBuffer()).byteLength > 0);
    }
  });

  test('with a slash at the end leads to where its links are found', async () => {
    const { status, headers } = await fetch(`${client.base}/docs/`, { redirect: 'manual' });
    const to = new URL(headers.get('location') ?? '', 'http://proxy/prefix/docs/').pathname;
    assert.deepEqual([status, to], [308, '/prefix/docs']);
  });

  test('serves no other files of the package', async () => {
    for (const name of ['package.json', 'swagger-ui.js', '..%2fpackage.json']) {
      assert.equal((await client.raw('GET', `/docs/${name}`)).status, 404, name);
    }
  });
});
