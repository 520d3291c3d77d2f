import type { DataSource } from 'typeorm';
import { wireApi } from './api.js';
import { EndedUrls } from '../http/auth/ended-urls.js';
import { oidcProvider } from '../http/auth/oidc.js';
import { readMasterKey } from '../http/auth/secrets.js';
import type { Home } from '../base/config/home.js';
import type { Config } from '../base/config/options.js';
import { shownCommand } from '../base/config/shown-command.js';
import { version } from '../base/installed-files.js';
import { BuiltPages } from './built-pages.js';
import {
  checkPageHandler,
  consoleHandler,
  consoleSettings,
  contentSecurityPolicy,
} from './console.js';
import { linkPageHandler } from './link-pages.js';
import { officeSignIn } from './office-sign-in.js';
import {
  isConnectionError,
  pingWriting,
  unavailableDatabase,
} from '../database/connection-error.js';
import { readOnlySince } from '../database/instance.js';
import { isAbortedByServer } from '../database/sql.js';
import { ReplicatedReads } from '../database/replicated-reads.js';
import { type Accel, fileHandler, fileShares } from '../http/files.js';
import { createHttpApp } from '../http/app.js';
import { Gate, type OperationUrls } from '../http/gate.js';
import { RateLimit, type CountedEvent } from '../http/rate-limit.js';
import { healthRouter, type HealthCheck } from '../http/health.js';
import { KeyedRequests } from '../http/idempotency/keyed-requests.js';
import { Maintenance } from '../http/maintenance.js';
import { landingRouter } from '../http/landing.js';
import { resolveName, Targets } from '../http/outgoing.js';
import { documentRouter } from '../http/pages.js';
import { openApiDocument } from '../http/openapi/document.js';
import { OpenUploads, type UploadSlots } from '../http/open-uploads.js';
import { urlResolver, operationsRouter, RunningRequests } from '../http/router.js';
import { Scratch } from '../http/scratch.js';
import { KeyLocks } from '../http/idempotency/key-locks.js';
import { IdempotencyKeys, KeyQuota } from '../http/idempotency/keys.js';
import { ArchiveUrls } from '../library/images/archive/addresses.js';
import { FullPictures } from '../library/images/full/full-pictures.js';
import { TileUrls } from '../library/images/map/maps.js';
import { LinkPictures } from '../library/links/pictures.js';
import { VisitCounter } from '../library/links/visit-counter.js';
import { Visitors } from '../library/links/visitors.js';
import { VisitSecrets } from '../library/links/visit-secrets.js';
import type { Imaging } from '../imaging/port.js';
import { tryFolder } from '../base/os/files.js';
import { FreeDisk } from '../base/os/machine.js';
import { serviceDataSource } from '../ops/service-database.js';
import { Installation } from '../ops/installation/installation.js';
import { openStores, type Stores } from '../ops/stores.js';
import { RecentObjects } from '../store/recent-objects.js';
import { wireTenants } from '../ops/tenants.js';
import type { Logger } from '../base/telemetry/logger.js';
import { createRequestLines } from '../base/telemetry/request-lines.js';
import { minuteMs, toBytes } from '../base/units.js';
import { CustodyLogs, logHost } from '../feed/custody/log.js';
import { Stamps } from '../feed/custody/stamps.js';
import { Deliveries, imageRecords } from '../feed/webhooks/deliveries.js';

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
  readonly migrated: HealthCheck;
  readonly uploadSlots: UploadSlots;
  readonly rateLimit: RateLimit;
  /** Notifies the node's other processes, if any, of a failed put. */
  readonly onPutFailed?: () => void;
  /** Aborted when the service starts to shut down. */
  readonly stopping: AbortSignal;
}

export const openUploads = (config: Config): OpenUploads =>
  new OpenUploads({ perUser: config['limits.open_uploads_per_user'], waitMs: uploadWaitMs });

/** Wrong passwords of a link that one client IP may send in a minute. */
const wrongPasswords = 5;

/** Steps of sign-ins at the provider of one client IP in a minute: a sign-in has two, an office one IP. */
const signInSteps = 120;
/** Requests for a published log that one client IP may send in a minute: a log of 200,000 entries, say. */
const publishedReads = 1_800;

/** @param announce notifies the node's other HTTP processes, if any, of events to count. */
export const rateLimit = (config: Config, announce?: (event: CountedEvent) => void): RateLimit =>
  new RateLimit(
    {
      perToken: config['rate_limit.per_token'],
      failedAuth: config['rate_limit.failed_auth'],
      linkPassword: wrongPasswords,
      signIn: signInSteps,
      publishedLog: publishedReads,
    },
    announce,
  );

/** Wires up the whole service around an open database and a running imaging process. */
export async function wireService(parts: ServiceParts) {
  const { db, config, home, imaging, logger } = parts;
  const master = await readMasterKey(home);
  const tenants = wireTenants(db, config, master);
  const keyLocks = new KeyLocks(db);
  const keyQuota = new KeyQuota(db, {
    pieces: config['idempotency.max_per_owner'],
    bytes: toBytes(config['idempotency.max_mb_per_owner']),
  });
  const hours = config['idempotency.retention_hours'];
  const keys = new IdempotencyKeys(db, keyLocks, master, keyQuota, hours);
  const endedUrls = new EndedUrls(db, config.signed_url_ttl, logger);
  const opened = await openStores(db, config, home, master, {
    endedAt: endedUrls.of,
    onPutFailed: parts.onPutFailed,
  });
  const { store, signedUrls, instanceId } = opened;
  const reads = new ReplicatedReads(db, replicaDataSources(config, logger), instanceId, logger);
  const mark = config['limits.min_free_disk_mb'];
  const disk = new FreeDisk([home.incoming, home.store], mark && toBytes(mark));
  const scratch = new Scratch({
    folder: home.incoming,
    disk,
    perCaller: toBytes(config['limits.max_scratch_mb']),
    connections: config['database.pool_size'],
  });
  const tileUrls = new TileUrls(signedUrls);
  const archiveUrls = new ArchiveUrls(signedUrls);
  const operationUrls: OperationUrls = {
    claims: (path, query) =>
      ((path.archive_id ?? path.ledger_id) ? archiveUrls : tileUrls).claims(path, query),
  };
  const visitSecrets = new VisitSecrets(master.linkKey());
  const visitors = new Visitors({
    db,
    secrets: visitSecrets,
    rateLimit: parts.rateLimit,
    trustProxy: config.trust_proxy,
    publicUrl: config.public_url,
  });
  const running = new RunningRequests();
  const full = new FullPictures({
    db,
    store,
    imaging,
    locks: keyLocks,
    running,
    incoming: home.incoming,
    disk,
  });
  const linkPictures = new LinkPictures({ db, secrets: visitSecrets, clock: tenants.clock });
  const about = { version: version(), publicUrl: config.public_url };
  const checks = {
    database: async () => {
      await pingWriting(db).catch((error: unknown) => {
        throw unavailableDatabase(error);
      });
    },
    migrations: parts.migrated,
    store: () => store.checkReady(),
    disk: () => disk.assertFree(),
    incoming: () => tryFolder(home.incoming),
    imaging: async () => {
      if (!(await imaging.ready())) throw new Error('the imaging process is not running');
    },
  };
  const maintenance = new Maintenance(() => readOnlySince(db), logger);
  const staging = {
    incoming: home.incoming,
    maxBytes: toBytes(config['limits.max_upload_mb']),
    disk,
  };
  const { operations, images, resumables } = wireApi({
    source: db,
    reads,
    tenants,
    store,
    scratch,
    imaging,
    config,
    logger,
    tileUrls,
    archiveUrls,
    visits: { visitors, pictures: linkPictures, secrets: visitSecrets, full },
    keys,
    keyLocks,
    staging,
    isLocal: () => store.only === 'local',
    stopping: parts.stopping,
    installation: new Installation({ db, home, config, clock: tenants.clock, checks }),
  });
  const routers = [
    healthRouter(checks, { stopping: parts.stopping, maintenance }),
    landingRouter({ console: config['console.enabled'], command: shownCommand(home) }),
    documentRouter(() => openApiDocument(operations, about), config.trust_proxy > 0),
    operationsRouter(operations, {
      gate: new Gate(
        tenants.tokens,
        parts.rateLimit,
        operationUrls,
        endedUrls,
        visitors,
        (platform) => tenants.proofs.publishes(platform),
      ),
      keyed: new KeyedRequests(keys, (key, name) => store.sign(key, name)),
      running,
      maintenance,
      publicUrl: config.public_url,
      trustProxy: config.trust_proxy,
      uploads: { ...staging, open: parts.uploadSlots },
    }),
  ];
  // Visitors of links get files through the service, however others do.
  const throughS3 = store.only !== 'local';
  const files = {
    store: new RecentObjects(store),
    accel: accelOf(config, store),
    shares: fileShares(config['limits.max_connections'], throughS3),
    full,
  };
  const provider = oidcProvider(config);
  const office =
    provider &&
    officeSignIn({
      provider,
      consoleSignIn: tenants.consoleSignIn,
      master,
      rateLimit: parts.rateLimit,
      trustProxy: config.trust_proxy,
      logger,
    });
  const pages = new BuiltPages({
    'settings.json': JSON.stringify(consoleSettings(config, home, provider)),
  });
  const http = createHttpApp({
    logger,
    logRequest: createRequestLines(logger, config['log.format']),
    files: fileHandler({ ...files, verifier: signedUrls, endedUrls }),
    console: config['console.enabled'] ? consoleHandler(config, pages, office) : undefined,
    links: linkPageHandler({
      pages,
      policy: contentSecurityPolicy(config),
      visitors,
      pictures: linkPictures,
      counter: new VisitCounter(db, logger),
      files,
    }),
    check: checkPageHandler(pages),
    routers,
    trustProxy: config.trust_proxy,
    cors: { origins: config['cors.origins'], headers: config['cors.headers'] },
    isUnavailable: (error) => isConnectionError(error) || isAbortedByServer(error),
  });
  /** @param base URL of this node's API. */
  const startDeliveries = (base: string): Deliveries =>
    new Deliveries({
      db,
      master,
      logger,
      clock: tenants.clock,
      posting: { targets: new Targets('webhooks', config), resolve: resolveName },
      checkpointOf: (platformId) => tenants.proofs.checkpointOf(platformId),
      recordOf: imageRecords(images, urlResolver(config.public_url ?? base)),
    });
  const stampUrl = config['custody.timestamp_url'];
  const custody = {
    logs: new CustodyLogs({ db, master, home, logger, host: logHost(config.public_url) }),
    stamps: stampUrl === undefined ? undefined : stampsOf(db, config, stampUrl),
  };
  const finishUploads = (signal: AbortSignal): Promise<unknown> =>
    running.run(() => resumables.finishComplete(signal));
  return {
    http,
    running,
    store,
    tenants,
    instanceId,
    reads,
    keyLocks,
    checks,
    maintenance,
    startDeliveries,
    custody,
    finishUploads,
  };
}

/** What a service of time stamps is sent is no secret, and what it sends is signed: http:// will do. */
const stampsOf = (db: DataSource, config: Config, url: string): Stamps =>
  new Stamps({
    db,
    url,
    ca: config['custody.timestamp_ca'],
    outgoing: {
      targets: new Targets('custody', { ...config, 'custody.allow_http': true }),
      resolve: resolveName,
    },
  });

/** Only for requests through a proxy: any other client would get the header and no bytes. */
function accelOf(config: Config, store: Stores['store']): Accel | undefined {
  const location = config['files.accel'];
  if (location === undefined || config.trust_proxy === 0) return undefined;
  return { location, isLocal: () => store.only === 'local' };
}
