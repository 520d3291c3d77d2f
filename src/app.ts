import type { DataSource } from 'typeorm';
import { customOperations } from './images/custom-routes.js';
import { memoOperations } from './images/memo-routes.js';
import { Annotations } from './annotations/service.js';
import { readMasterKey } from './auth/secrets.js';
import { changeOperations } from './changes/routes.js';
import { Changes } from './changes/service.js';
import { Snapshots } from './changes/snapshot.js';
import { ChangeWatch } from './changes/watch.js';
import type { Home } from './config/home.js';
import type { Config } from './config/options.js';
import { version } from './config/version.js';
import { isConnectionError } from './database/connection-error.js';
import { JoiningDatabase } from './database/joint-transaction.js';
import { ping } from './database/ping.js';
import { ReplicatedReads } from './database/replicated-reads.js';
import { isAbortedByServer } from './database/sql.js';
import type { Queryable } from './database/sql.js';
import { FolderChanges } from './folders/changes.js';
import { FolderReads } from './folders/reads.js';
import { folderOperations } from './folders/routes.js';
import { Folders } from './folders/service.js';
import type { Accel } from './http/accel.js';
import { createHttpApp } from './http/app.js';
import { fileHandler } from './http/files.js';
import { Gate } from './http/gate.js';
import { RateLimit } from './http/rate-limit.js';
import type { CountedEvent } from './http/rate-limit.js';
import { healthRouter } from './http/health.js';
import type { Check } from './http/health.js';
import { KeyedRequests } from './http/keyed-requests.js';
import { landingRouter } from './http/landing.js';
import { openApiDocument } from './http/openapi/document.js';
import { documentRouter } from './http/openapi/router.js';
import type { Operation } from './http/operation.js';
import { refreshOperation } from './http/refresh-token.js';
import { OpenUploads } from './http/open-uploads.js';
import type { UploadSlots } from './http/open-uploads.js';
import { urlResolver } from './http/resolve-url.js';
import { operationsRouter } from './http/router.js';
import { KeyLocks } from './idempotency/key-locks.js';
import { IdempotencyKeys } from './idempotency/keys.js';
import { Archives } from './images/archive/archive.js';
import { checkOperations } from './images/check/routes.js';
import { PresenceCheck } from './images/check/service.js';
import { imageGroupOperations } from './images/group/routes.js';
import { ImageGroups } from './images/group/service.js';
import { ImageIncludes } from './images/includes.js';
import { FolderImages } from './images/folder/service.js';
import { UploadWriter } from './images/upload/upload-writer.js';
import { imageListOperations } from './images/list/routes.js';
import { ImageLists } from './images/list/service.js';
import { ImageRecords } from './images/record.js';
import { RecordPages } from './images/record-pages.js';
import { PlatformImages } from './images/platform/service.js';
import { platformImageOperations } from './images/platform/routes.js';
import { ImageRemoval } from './images/removal.js';
import { imageOperations } from './images/routes.js';
import { Images } from './images/service.js';
import { Sharing } from './images/update/sharing.js';
import { imageUpdateOperations } from './images/update/routes.js';
import { ImageUpdates } from './images/update/service.js';
import { uploadOperations } from './images/upload/routes.js';
import { Uploads } from './images/upload/service.js';
import { PageCursors } from './paging/page-cursors.js';
import type { Imaging } from './imaging/port.js';
import { platformOperations } from './platforms/routes.js';
import { statisticsOperations } from './statistics/routes.js';
import { UsageStatistics } from './statistics/service.js';
import { FreeDisk } from './os/free-disk.js';
import type { ObjectStore } from './store/port.js';
import { serviceDataSource } from './service-database.js';
import { openStores } from './stores.js';
import type { Stores } from './stores.js';
import { wireTenants } from './tenants.js';
import type { Tenants } from './tenants.js';
import type { Logger } from './telemetry/logger.js';
import { createRequestLines } from './telemetry/request-lines.js';
import { uploadSetOperations } from './upload-sets/routes.js';
import { UploadSets } from './upload-sets/service.js';
import { accountOperations } from './users/account-routes.js';
import { Accounts } from './users/accounts.js';
import { deletionOperations } from './deletion/routes.js';
import { UserRemoval } from './deletion/user-removal.js';
import { userOperations } from './users/routes.js';
import { Usage } from './quota/usage.js';
import { minuteMs, toBytes } from './units.js';
import { Deliveries } from './webhooks/deliveries.js';
import { imageRecords } from './webhooks/image-record.js';
import { resolveName } from './webhooks/resolve.js';
import { webhookOperations } from './webhooks/routes.js';
import { Targets } from './webhooks/target.js';

/** The configured standby servers; not connected yet. */
const replicaDataSources = (config: Config, logger: Logger): DataSource[] =>
  config['database.replicas'].map((url) => serviceDataSource(url, config, logger));

/** How long an upload waits for the same user's other uploads to finish, in milliseconds. */
const uploadWaitMs = minuteMs;

export interface ServiceParts {
  readonly db: DataSource;
  readonly config: Config;
  readonly home: Home;
  readonly imaging: Imaging;
  readonly logger: Logger;
  /** Whether all migrations have been applied. */
  readonly migrated: Check;
  readonly uploadSlots: UploadSlots;
  readonly rateLimit: RateLimit;
  /** Aborted when the service starts to shut down. */
  readonly stopping: AbortSignal;
}

export const openUploads = (config: Config): OpenUploads =>
  new OpenUploads({ perUser: config['limits.open_uploads_per_user'], waitMs: uploadWaitMs });

/** @param announce tells the node's other HTTP processes, if any, of what counts. */
export const rateLimit = (config: Config, announce?: (event: CountedEvent) => void): RateLimit =>
  new RateLimit(
    {
      perToken: config['rate_limit.per_token'],
      failedAuth: config['rate_limit.failed_auth'],
    },
    announce,
  );

/** Wires up the whole service around an open database and a running imaging process. */
export async function wireService(parts: ServiceParts) {
  const { db, config, home, imaging, logger } = parts;
  const master = await readMasterKey(home);
  const tenants = wireTenants(db, config, master);
  const keyLocks = new KeyLocks(db);
  const keys = new IdempotencyKeys(db, keyLocks, master, config['idempotency.retention_hours']);
  const { store, signedUrls, instanceId } = await openStores(db, config, home, master);
  const reads = new ReplicatedReads(db, replicaDataSources(config, logger), instanceId, logger);
  const { operations, images } = wireOperations(parts, reads, tenants, store);
  const mark = config['limits.min_free_disk_mb'];
  const disk = new FreeDisk([home.incoming, home.store], mark && toBytes(mark));
  const about = { version: version(), publicUrl: config.public_url };
  const routers = [
    healthRouter(
      {
        database: () => ping(db),
        migrations: parts.migrated,
        store: () => store.check(),
        disk: () => disk.assertFree(),
        imaging: async () => {
          if (!(await imaging.ready())) throw new Error('the imaging process is not running');
        },
      },
      parts.stopping,
    ),
    landingRouter(),
    documentRouter(() => openApiDocument(operations, about)),
    operationsRouter(operations, {
      gate: new Gate(tenants.tokens, parts.rateLimit),
      keyed: new KeyedRequests(keys, (key) => store.sign(key)),
      publicUrl: config.public_url,
      uploads: {
        incoming: home.incoming,
        maxBytes: toBytes(config['limits.max_upload_mb']),
        disk,
        open: parts.uploadSlots,
      },
    }),
  ];
  const http = createHttpApp({
    logger,
    logRequest: createRequestLines(logger, config['log.format']),
    files: fileHandler({ store, verifier: signedUrls, accel: accelOf(config, store) }),
    routers,
    trustProxy: config.trust_proxy,
    corsOrigins: config['cors.origins'],
    isUnavailable: (error) => isConnectionError(error) || isAbortedByServer(error),
  });
  /** @param base URL of this node's API. */
  const startDeliveries = (base: string): Deliveries =>
    new Deliveries({
      ...{ db, master, logger, clock: tenants.clock },
      posting: { targets: new Targets(config), resolve: resolveName },
      recordOf: imageRecords(images, urlResolver(config.public_url ?? base)),
    });
  return { http, store, tenants, instanceId, reads, keyLocks, startDeliveries };
}

/** Only for what has come through a proxy: others would get the header and no bytes. */
function accelOf(config: Config, store: Stores['store']): Accel | undefined {
  const location = config['files.accel'];
  if (location === undefined || config.trust_proxy === 0) return undefined;
  return { location, isLocal: () => store.only === 'local' };
}

function wireOperations(
  { db: source, config, imaging, logger, stopping }: ServiceParts,
  reads: ReplicatedReads,
  { tokens, platforms, users, webhooks, clock }: Tenants,
  store: ObjectStore,
): { operations: Operation[]; images: Images } {
  const db = new JoiningDatabase(source);
  const usage = new Usage(db);
  const limits = {
    memos: config['limits.max_memos'],
    customs: config['limits.max_customs'],
    textBytes: toBytes(config['limits.max_text_mb']),
  };
  const annotations = new Annotations(db, clock, limits);
  const uploadWriter = new UploadWriter(db, imaging, store, usage);
  const records = new ImageRecords(store, clock);
  const pagesOf = (database: Queryable): RecordPages => {
    const notes = new Annotations(database, clock, limits);
    return new RecordPages(database, records, new ImageIncludes(database, records, notes));
  };
  const images = new Images(db, records, pagesOf(db), usage);
  const cursors = new PageCursors(source);
  const lists = new ImageLists(reads, images, cursors);
  const archives = new Archives(source, images, store, clock);
  const folders = new Folders();
  const uploadSets = new UploadSets({ db, reads, usage, folders, cursors, clock });
  const uploads = new Uploads(db, uploadWriter, folders, annotations, clock, uploadSets);
  const updates = new ImageUpdates(db, folders);
  const accounts = {
    accounts: new Accounts(usage),
    ceilingMb: config['limits.max_user_storage_mb'],
  };
  const folderImages = new FolderImages(reads, images);
  const folderChanges = new FolderChanges({ db, usage, folders, images: folderImages, clock });
  // In the order used by the OpenAPI document.
  const operations = [
    ...platformOperations(platforms, usage),
    ...userOperations(users),
    ...accountOperations(accounts),
    ...deletionOperations(new UserRemoval(db, new ImageRemoval(), folders)),
    ...folderOperations(new FolderReads(reads, folderImages, cursors, clock), folderChanges),
    ...uploadOperations({ images, uploads, usage, clock }),
    ...imageOperations(images),
    ...imageListOperations({ lists, archives, clock }),
    ...checkOperations(new PresenceCheck(reads)),
    ...uploadSetOperations(uploadSets),
    ...imageUpdateOperations({ images, updates, sharing: new Sharing(db, usage) }),
    ...imageGroupOperations(new ImageGroups(reads, images, cursors)),
    ...platformImageOperations(new PlatformImages(reads, images, usage)),
    ...memoOperations({ annotations, images }),
    ...customOperations({ annotations, images }),
    ...changeOperations({
      changes: new Changes(source, clock),
      watch: new ChangeWatch(source, logger, stopping),
      snapshots: new Snapshots({ db: source, clock, pagesOf }),
    }),
    ...webhookOperations(webhooks),
    ...statisticsOperations(new UsageStatistics(reads, clock.zoneName)),
    refreshOperation(tokens),
  ];
  return { operations, images };
}
