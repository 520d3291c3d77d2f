import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Peer, Uploaded } from './peer.js';
import { asJson, requestJson, run, serve } from './process.js';

const admin = { email: 'admin@example.com', password: randomBytes(16).toString('hex') };

/** Keys of renditions that every installation has: 300 × 300, and at most 1000 × 1000 pixels. */
const renditions = ['system-medium-cover', 'system-large-contain'] as const;

export const directus: Peer = {
  name: 'Directus',
  packages: ['directus@11.2.2'],
  license: 'BUSL-1.1',
  start: async ({ dir, database, port }) => {
    const url = `http://127.0.0.1:${port}`;
    await mkdir(join(dir, 'uploads'), { recursive: true });
    const env = {
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: url,
      KEY: randomBytes(16).toString('hex'),
      SECRET: randomBytes(32).toString('hex'),
      DB_CLIENT: 'pg',
      DB_HOST: database.host,
      DB_PORT: String(database.port),
      DB_USER: database.user,
      DB_PASSWORD: database.password,
      DB_DATABASE: database.database,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      STORAGE_LOCATIONS: 'local',
      STORAGE_LOCAL_ROOT: join(dir, 'uploads'),
      ACCESS_TOKEN_TTL: '1d',
      TELEMETRY: 'false',
      LOG_LEVEL: 'error',
      // Its overload protection would reject part of the load.
      PRESSURE_LIMITER_ENABLED: 'false',
    };
    const program = join(dir, 'node_modules/directus/cli.js');
    await run(dir, env, process.execPath, program, 'bootstrap');
    const stop = await serve(dir, env, `${url}/server/ping`, process.execPath, program, 'start');
    const login = asJson(admin);
    const { data } = await requestJson<{ data: { access_token: string } }>(
      `${url}/auth/login`,
      login,
    );
    const headers = { Authorization: `Bearer ${data.access_token}` };
    const get = (target: string) => ({ url: target, headers });
    return {
      upload: (file) => ({
        method: 'POST',
        url: `${url}/files`,
        headers,
        file,
        part: { name: 'file', filename: 'picture.jpg', type: 'image/jpeg' },
        // Renditions are made on first request.
        follow: renditions.map((key) => `${url}/assets/{data.id}?key=${key}`),
      }),
      uploaded: 200,
      page: (size) => get(`${url}/files?limit=${size}&sort=-uploaded_on`),
      read: (answer): Uploaded => {
        const { id } = (answer as { data: { id: string } }).data;
        const original = `${url}/assets/${id}`;
        return { id, original, thumbnail: `${original}?key=${renditions[0]}` };
      },
      thumbnail: ({ thumbnail }) => get(thumbnail),
      original: ({ original }) => get(original),
      change: (id, title) => ({
        method: 'PATCH',
        url: `${url}/files/${id}`,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ title }),
      }),
      stop,
    };
  },
};
