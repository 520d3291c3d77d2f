import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalStore } from '../../src/store/local-store.js';
import { writeSentinel } from '../../src/store/sentinel.js';
import { SignedUrls } from '../../src/store/signed-url.js';
import { serveFiles } from './file-server.js';
import type { StoreHarness } from './harness.js';
import { temporaryDirectory } from '../temporary.js';

export interface LocalHarness extends StoreHarness {
  readonly store: LocalStore;
  readonly root: string;
  readonly signer: SignedUrls;
}

/**
 * A local store in a temporary folder, served by a real HTTP server.
 *
 * @param incomingParent the parent of the incoming directory; by default, that of the store.
 */
export async function makeLocalStore(incomingParent?: string): Promise<LocalHarness> {
  const home = await temporaryDirectory('store');
  const incoming = await mkdtemp(join(incomingParent ?? home, 'incoming-'));
  const root = join(home, 'store');
  await mkdir(root);
  const secret = randomBytes(32);
  const ttlSeconds = 3600;
  const signer = new SignedUrls({ secret, ttlSeconds });
  const instanceId = randomUUID();
  const store = new LocalStore({ root, instanceId, signer });
  await writeSentinel(store, instanceId, incoming);
  const server = await serveFiles(store, signer);
  return {
    store,
    stranger: new LocalStore({ root, instanceId: randomUUID(), signer }),
    root,
    signer,
    incoming,
    ttlSeconds,
    signAt: (key, at) => new SignedUrls({ secret, ttlSeconds, now: () => at.getTime() }).sign(key),
    fetch: (url, init) => fetch(server.base + url, init),
    cleanup: async () => {
      await server.close();
      await rm(incoming, { recursive: true, force: true });
      await rm(home, { recursive: true, force: true });
    },
  };
}
