import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from './empty-database.js';
import type { Peer, Uploaded } from './peer.js';
import { asJson, requestJson, serve } from './process.js';

const secret = (): string => randomBytes(16).toString('hex');

/** The settings of a project, as its own generator would write them. */
const settings = (database: Connection, port: number): Record<string, object> => ({
  server: { host: '127.0.0.1', port, app: { keys: [secret(), secret()] } },
  admin: {
    serveAdminPanel: false,
    auth: { secret: secret() },
    apiToken: { salt: secret() },
    transfer: { token: { salt: secret() } },
  },
  database: { connection: { client: 'postgres', connection: database } },
  api: { rest: { defaultLimit: 25, maxLimit: 100 } },
  middlewares: [
    'logger',
    'errors',
    'security',
    'cors',
    'query',
    'body',
    'session',
    'favicon',
    'public',
  ].map((name) => `strapi::${name}`),
  plugins: {},
});

async function writeProject(dir: string, database: Connection, port: number): Promise<void> {
  for (const folder of ['config', 'src/server/api', 'public/uploads', 'database/migrations']) {
    await mkdir(join(dir, folder), { recursive: true });
  }
  for (const [name, content] of Object.entries(settings(database, port))) {
    const source = `module.exports = ${JSON.stringify(content, null, 2)};\n`;
    await writeFile(join(dir, 'config', `${name}.js`), source);
  }
}

interface StrapiFile {
  readonly id: number;
  readonly url: string;
  readonly formats: { readonly thumbnail: { readonly url: string } };
}

export const strapi: Peer = {
  name: 'Strapi',
  packages: [
    '@strapi/strapi@5.54.0',
    'pg@8.23.1',
    'react@18',
    'react-dom@18',
    'react-router-dom@6',
    'styled-components@6',
  ],
  license: 'MIT, but for its enterprise folders',
  start: async ({ dir, database, port }) => {
    const url = `http://127.0.0.1:${port}`;
    await writeProject(dir, database, port);
    const program = join(dir, 'node_modules/@strapi/strapi/bin/strapi.js');
    const env = { STRAPI_TELEMETRY_DISABLED: 'true', STRAPI_LOG_LEVEL: 'error' };
    const stop = await serve(dir, env, `${url}/_health`, process.execPath, program, 'start');
    const admin = { email: 'admin@example.com', password: `Aa1${secret()}` };
    const registration = asJson({ ...admin, firstname: 'Bench', lastname: 'Bench' });
    const { data } = await requestJson<{ data: { token: string } }>(
      `${url}/admin/register-admin`,
      registration,
    );
    const token = await requestJson<{ data: { accessKey: string } }>(
      `${url}/admin/api-tokens`,
      asJson(
        { name: 'bench', description: '', type: 'full-access', lifespan: null },
        { Authorization: `Bearer ${data.token}` },
      ),
    );
    const headers = { Authorization: `Bearer ${token.data.accessKey}` };
    return {
      upload: (file) => ({
        method: 'POST',
        url: `${url}/api/upload`,
        headers,
        file,
        part: { name: 'files', filename: 'picture.jpg', type: 'image/jpeg' },
      }),
      uploaded: 201,
      page: (size) => ({ url: `${url}/api/upload/files?sort=id:desc&limit=${size}`, headers }),
      read: (answer): Uploaded => {
        const [file] = answer as readonly StrapiFile[];
        if (!file) throw new Error('Strapi answered an upload without a file.');
        const { id, formats } = file;
        return {
          id: String(id),
          original: url + file.url,
          thumbnail: url + formats.thumbnail.url,
        };
      },
      thumbnail: ({ thumbnail }) => ({ url: thumbnail }),
      original: ({ original }) => ({ url: original }),
      change: (id, caption) => ({
        method: 'POST',
        url: `${url}/api/upload?id=${id}`,
        headers,
        form: { fileInfo: JSON.stringify({ caption }) },
      }),
      stop,
    };
  },
};
