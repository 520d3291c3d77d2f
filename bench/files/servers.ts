/**
 * In a process of its own, whose stderr takes the log: the files as `serve` answers them, bare
 * node:http, and nginx with and without imgstore, all on the same objects.
 */
import { randomBytes } from 'node:crypto';
import { chmod } from 'node:fs/promises';
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
const ours = await serveFiles(harness.store, signer, undefined, {
  logRequest: createRequestLines({ level: 'info', format: 'text' }),
});
const bases = { bare: await serveBare(harness.root, bytes), ours: ours.base };
process.send?.({ bases, paths } satisfies Served);

process.on('message', (asked: 'cpu' | 'end') => {
  if (asked === 'cpu') process.send?.(process.cpuUsage());
  else void harness.cleanup().then(() => process.exit());
});
