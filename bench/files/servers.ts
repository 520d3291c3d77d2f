/**
 * In a process of its own, whose stderr takes the log: the files as `serve` answers them, bare
 * node:http, and nginx with and without imgstore, all on the same objects.
 */
import { randomBytes } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { fileHandler } from '../../src/http/files.js';
import { nginxConfig } from '../../src/operations/proxy/nginx.js';
import { freePort, startNginx } from '../../testkit/nginx.js';
import { serveFiles } from '../../testkit/store/file-server.js';
import { newKey, putBytes } from '../../testkit/store/harness.js';
import { makeLocalStore } from '../../testkit/store/local-harness.js';
import { createRequestLines } from '../../src/telemetry/request-lines.js';
import { SignedUrls } from '../../src/store/signed-url.js';
import { serveBare } from './bare.js';
import { sizes } from './objects.js';
import type { Kind, Served } from './objects.js';

const objects = 20;

const harness = await makeLocalStore();
await chmod(harness.root, 0o755);
const signer = new SignedUrls({ secret: randomBytes(32), ttlSeconds: 3600 });
const bytes = new Map<string, number>();

async function make(kind: Kind): Promise<string[]> {
  const paths: string[] = [];
  for (let n = 0; n < objects; n += 1) {
    const key = await putBytes(harness, randomBytes(sizes[kind]), newKey(`${kind}.jpg`));
    bytes.set(key, sizes[kind]);
    paths.push(signer.sign(key));
  }
  return paths;
}

const paths = { thumb: await make('thumb'), original: await make('original') };
const logRequest = createRequestLines({ level: 'info', format: 'text' });
const ours = await serveFiles(harness.store, signer, undefined, { logRequest });

const undo: (() => unknown)[] = [];
const scope = { after: (step: () => unknown): void => void undo.push(step) };

/** nginx in front of imgstore, which hands it the files. */
async function serveBehindNginx(): Promise<string> {
  const location = '/_imgstore/';
  const node = await serveFiles(harness.store, signer, undefined, {
    logRequest,
    trustProxy: 1,
    files: fileHandler({
      store: harness.store,
      verifier: signer,
      accel: { location, isLocal: () => true },
    }),
  });
  const port = await freePort();
  const site = new URL(`http://127.0.0.1:${port}`);
  const config = nginxConfig({
    upstreams: [new URL(node.base).host],
    site,
    bodyBytes: 1,
    patience: 60,
    keepAlive: 60,
    chained: false,
    accel: { location, store: harness.root },
    remarks: [],
  });
  await startNginx(scope, config, port);
  return site.origin;
}

/** The limit of that: nginx alone. */
async function serveByNginx(): Promise<string> {
  const port = await freePort();
  const files = `location /files/ { alias ${harness.root}/; sendfile on; tcp_nopush on; }`;
  await startNginx(scope, `server { listen ${port}; ${files} }`, port);
  return `http://127.0.0.1:${port}`;
}

const bases = {
  bare: await serveBare(harness.root, bytes),
  ours: ours.base,
  accel: await serveBehindNginx(),
  sendfile: await serveByNginx(),
};
process.send?.({ bases, paths } satisfies Served);

process.on('message', (asked: 'cpu' | 'end') => {
  if (asked === 'cpu') process.send?.(process.cpuUsage());
  else {
    void Promise.all(undo.map((step) => step()))
      .then(() => harness.cleanup())
      .then(() => process.exit());
  }
});
