import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import openapiTS, { astToString, type SchemaObject } from 'openapi-typescript';
import ts from 'typescript';
import { testService } from '../../testkit/service.js';

// Also run by `npm run client`, which sets the variable and so regenerates the file.
const renew = process.env.IMGSTORE_RENEW_CLIENT === '1';
const file = new URL('../../../clients/typescript/src/schema.ts', import.meta.url);
const note = '// Written by "npm run client" from /openapi.json. Changes by hand do not last.\n\n';

const service = await testService();

/** Clients send files as Blobs. */
const asBlob = (schema: SchemaObject): ts.TypeNode | undefined =>
  schema.format === 'binary'
    ? ts.factory.createTypeReferenceNode(ts.factory.createIdentifier('Blob'))
    : undefined;

test('the types of the client match the API', async () => {
  const document = await (await service.client.raw('GET', '/openapi.json')).text();
  const types = await openapiTS(document, { transform: asBlob, defaultNonNullable: false });
  const fresh = note + astToString(types);
  if (renew) await writeFile(file, fresh);
  assert.ok(fresh === (await readFile(file, 'utf8')), 'out of date: run "npm run client"');
});
