// Tests clients made by three generators from the document: each compiles, and uploads.
import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import openapiTS, { astToString, type OpenAPI3, type SchemaObject } from 'openapi-typescript';
import ts from 'typescript';
import { jpeg } from '../../testkit/pictures.js';
import { bundle, compile, project, runIn } from './project.js';

const given = `
declare const process: { env: Record<'BASE' | 'USER_ID' | 'TOKEN' | 'PICTURE', string> };
export const { BASE: baseUrl, USER_ID: user_id, TOKEN, PICTURE } = process.env;
export const headers = { Authorization: \`Bearer \${TOKEN}\` };
const bytes = Uint8Array.from(atob(PICTURE), (one) => one.charCodeAt(0));
export const image_data = new File([bytes], 'sample.jpg', { type: 'image/jpeg' });
`;

/** The transformation from its documentation: without it, files have the type string. */
const asBlob = ({ format }: SchemaObject) =>
  format === 'binary' ? ts.factory.createTypeReferenceNode('Blob') : undefined;

/** The service, its document, also in a file, and what the tests need. */
export interface Begun {
  /** The directory with the tools. */
  readonly tools: string;
  /** The directory of a project with our client. */
  readonly client: string;
  readonly document: OpenAPI3;
  readonly file: string;
  /** Named like the environment variables of the programs that use it. */
  readonly server: { readonly BASE: string; readonly USER_ID: string; readonly TOKEN: string };
}

interface Generator {
  /** Generates a client in a directory. */
  readonly generate: (begun: Begun, dir: string) => Promise<unknown>;
  /** A program that uses it. */
  readonly use: string;
}

const generators: Readonly<Record<string, Generator>> = {
  'openapi-typescript': {
    generate: async ({ document }, dir) => {
      const types = await openapiTS(document, { transform: asBlob });
      await writeFile(join(dir, 'api.ts'), astToString(types));
      await symlink(join(process.cwd(), 'node_modules'), join(dir, 'node_modules'));
    },
    use: `import createClient from 'openapi-fetch';
import type { paths } from './api';
import { baseUrl, headers, image_data, user_id } from './given';

const client = createClient<paths>({ baseUrl, headers });
const { data, error } = await client.POST('/api/v1/users/{user_id}/images', {
  params: { path: { user_id } },
  body: { image_data },
  bodySerializer: (body) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(body)) form.append(name, value as Blob);
    return form;
  },
});
if (error) throw new Error(error.error.code);
console.log(data.result.resolution);`,
  },
  'hey-api': {
    generate: ({ tools, file }, dir) => {
      const bin = join(tools, 'node_modules/.bin/openapi-ts');
      return runIn(tools, bin, ['-i', file, '-o', join(dir, 'api'), '-c', '@hey-api/client-fetch']);
    },
    use: `import { uploadImage } from './api';
import { createClient } from './api/client';
import { baseUrl, headers, image_data, user_id } from './given';

const client = createClient({ baseUrl, headers });
const { data, error } = await uploadImage({ client, path: { user_id }, body: { image_data } });
if (error || !data) throw new Error(error?.error.code);
console.log(data.result.resolution);`,
  },
  orval: {
    generate: async ({ tools, file, server }, dir) => {
      const output = { target: join(dir, 'api.ts'), client: 'fetch', baseUrl: server.BASE };
      const config = JSON.stringify({ imgstore: { input: file, output } });
      await writeFile(join(dir, 'orval.config.cjs'), `module.exports = ${config};`);
      const bin = join(tools, 'node_modules/.bin/orval');
      await runIn(tools, bin, ['--config', join(dir, 'orval.config.cjs')]);
    },
    use: `import { uploadImage } from './api';
import { headers, image_data, user_id } from './given';

const { status, data } = await uploadImage(user_id, { image_data }, { headers });
if (status !== 200) throw new Error(data.error.code);
console.log(data.result.resolution);`,
  },
};

export function testGenerated(begun: Promise<Begun>): void {
  for (const [name, { generate, use }] of Object.entries(generators)) {
    test(`a client made by ${name} compiles and uploads`, async (t) => {
      const about = await begun;
      const dir = await project(t, { 'use.ts': use, 'given.ts': given });
      await generate(about, dir);
      await compile(dir, 'use.ts');
      const program = await bundle(about.tools, dir, 'use.ts');
      const PICTURE = (await jpeg({ width: 64, height: 48 })).toString('base64');
      const printed = await runIn(dir, process.execPath, [program], { ...about.server, PICTURE });
      assert.equal(printed, '64x48\n');
    });
  }
}
