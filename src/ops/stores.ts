import type { DataSource } from 'typeorm';
import type { Home } from '../base/config/home.js';
import type { Config } from '../base/config/options.js';
import { storeErrors, storeSeconds } from '../base/telemetry/metrics.js';
import { secondMs } from '../base/units.js';
import { readInstance, type StoreKind } from '../database/instance.js';
import type { MasterKey } from '../http/auth/secrets.js';
import { LocalStore } from '../store/local-store.js';
import { MovableStore } from '../store/movable-store.js';
import type { ObjectStore, UrlSigner } from '../store/port.js';
import { SignedUrls } from '../store/signed-url.js';

interface StoreSite {
  readonly home: Home;
  readonly config: Config;
  readonly instanceId: string;
  /** Creates the URLs that the API serves. */
  readonly signer: UrlSigner;
  readonly onPutFailed?: (() => void) | undefined;
}

/** @throws OperatorError 78 (settings). */
async function openStore(kind: StoreKind, site: StoreSite): Promise<ObjectStore> {
  const { home, config, instanceId, signer, onPutFailed } = site;
  if (kind === 'local') return new LocalStore({ root: home.store, instanceId, signer });
  // Loaded only when used: the client and its dependencies take 15 MB.
  const [{ openBucket }, { PresignedUrls }, { S3Store }, { bucketConfigOf }] = await Promise.all([
    import('../store/s3/bucket.js'),
    import('../store/s3/presigned.js'),
    import('../store/s3/s3-store.js'),
    import('../store/s3/settings.js'),
  ]);
  const bucketConfig = bucketConfigOf(config);
  const [first = ''] = bucketConfig.endpoints;
  const presigned = new PresignedUrls({
    ...bucketConfig,
    endpoint: config['s3.public_endpoint'] ?? first,
    ttlSeconds: config.signed_url_ttl,
  });
  const direct = config['s3.delivery'] === 'direct';
  const bucket = openBucket(bucketConfig);
  return new S3Store({ bucket, instanceId, signer: direct ? presigned : signer, onPutFailed });
}

const unsigned: UrlSigner = {
  sign: (key) => key,
  signIn: (folder) => (name) => folder + name,
};

/** Opens stores to mark or check them, not to create URLs. */
export const openerOf =
  (home: Home, config: Config) =>
  (kind: StoreKind, instanceId: string): Promise<ObjectStore> =>
    openStore(kind, { home, config, instanceId, signer: unsigned });

export interface Stores {
  readonly store: MovableStore<StoreKind>;
  readonly signedUrls: SignedUrls;
  readonly instanceId: string;
}

/** What processes that serve requests need besides. */
export interface ServingStores {
  /** As in `SignedUrls`. */
  readonly endedAt: (key: string) => number;
  /** As in `S3StoreOptions`. */
  readonly onPutFailed: (() => void) | undefined;
}

/** The object store in use according to the database, with the URLs that the API serves. */
export async function openStores(
  db: DataSource,
  config: Config,
  home: Home,
  master: MasterKey,
  serving?: ServingStores,
): Promise<Stores> {
  const signedUrls = new SignedUrls({
    secret: master.fileUrlKey(),
    ttlSeconds: config.signed_url_ttl,
    ...(serving && { endedAt: serving.endedAt }),
  });
  const { id: instanceId } = await readInstance(db);
  const site = { home, config, instanceId, signer: signedUrls, onPutFailed: serving?.onPutFailed };
  const store = await MovableStore.open({
    locate: () => readInstance(db),
    open: async (kind) => measuredStore(await openStore(kind, site), kind),
    signer: signedUrls,
  });
  return { store, signedUrls, instanceId };
}

/** Measures one type of calls to one store. */
function counterOf(store: string, call: string) {
  const seconds = storeSeconds.of(store, call);
  const errors = storeErrors.of(store, call);
  return <T>(answer: Promise<T>): Promise<T> => {
    const began = performance.now();
    const end = (): void => seconds.observe((performance.now() - began) / secondMs);
    answer.then(end, () => {
      end();
      errors.add();
    });
    return answer;
  };
}

/** The same store, with its calls measured. @param kind its label in the metrics. */
function measuredStore(store: ObjectStore, kind: string): ObjectStore {
  const put = counterOf(kind, 'put');
  const get = counterOf(kind, 'get');
  const stat = counterOf(kind, 'stat');
  const remove = counterOf(kind, 'delete');
  return {
    put: (objects) => put(store.put(objects)),
    get: (key, range) => get(store.get(key, range)),
    stat: (key) => stat(store.stat(key)),
    delete: (keys) => remove(store.delete(keys)),
    move: (from, to) => store.move(from, to),
    list: (prefix) => store.list(prefix),
    unfinished: () => store.unfinished(),
    check: () => store.check(),
    checkReady: () => store.checkReady(),
    distrust: () => store.distrust(),
    legalHolds: store.legalHolds,
    sign: (key, name) => store.sign(key, name),
    signIn: (folder, base) => store.signIn(folder, base),
  };
}
