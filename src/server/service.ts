import { rm } from 'node:fs/promises';
import type { Home } from '../base/config/home.js';
import type { Config } from '../base/config/options.js';
import { version } from '../base/installed-files.js';
import { openDatabase } from '../database/postgres/provision.js';
import { authorityOf } from '../http/host.js';
import { listen, type RunningServer } from '../http/server.js';
import type { MetricsServer } from '../http/metrics-server.js';
import { shareOf, type Begin } from './http-processes/channel.js';
import type { HttpProcessesParts } from './http-processes/start.js';
import type { ImagingQueue } from '../imaging/queue.js';
import { imagingSettings, startImaging } from '../imaging/start.js';
import { clearLeftovers, lockHome } from '../ops/home.js';
import type { OpenImaging } from '../ops/jobs/own-imaging.js';
import type { NodeMetricsParts } from '../ops/node-metrics.js';
import { requireSentinel, describeStore } from '../ops/store-sentinel.js';
import type { ObjectStore } from '../store/port.js';
import { namesS3 } from '../store/s3/settings.js';
import type { Tenants } from '../ops/tenants.js';
import { followLevel, createLogger, type Logger } from '../base/telemetry/logger.js';
import type { Sample } from '../base/telemetry/series.js';
import { secondMs, toBytes } from '../base/units.js';

/** Longest time that running requests get when the service stops. */
const graceMs = 30 * secondMs;

export interface RunningService {
  /** URL at which this machine can reach the service. */
  readonly url: string;
  readonly tenants: Tenants;
  readonly store: ObjectStore;
  readonly imaging: ImagingQueue;
  /** URL of the metrics for Prometheus; undefined if they are not served. */
  readonly metricsUrl: string | undefined;
  /** Reports not ready but keeps serving, to give clients a moment to notice. */
  drain(): Promise<void>;
  /**
   * Stops accepting requests, finishes running ones, then ends everything that `startService`
   * started.
   */
  stop(): Promise<void>;
}

/** The log of a running service. */
export const serviceLogger = (config: Config): Logger =>
  createLogger({ level: config['log.level'], format: config['log.format'] });

/**
 * Starts everything in order, and undoes it all if a step fails.
 * @throws OperatorError that identifies the failing part.
 */
export async function startService(
  home: Home,
  config: Config,
  report: (message: string) => void,
): Promise<RunningService> {
  const logger = serviceLogger(config);
  const undo: Undo = [];
  const stopping = new AbortController();
  const stop = async (): Promise<void> => {
    stopping.abort();
    for (let step = undo.pop(); step; step = undo.pop()) {
      await step().catch((error: unknown) => logger.error('stopping', { error }));
    }
  };
  try {
    const lock = await lockHome(home);
    undo.push(() => lock.release());
    await rm(home.logLevel, { force: true }); // of the service before this one
    const unfollow = followLevel(home.logLevel, logger);
    undo.push(async () => unfollow());
    const { database, imaging, parts } = await startParts({ home, config, report, logger, undo });
    const { serviceDataSource, migrate, assertServable, startJobs, watchDatabase, watchStore } =
      parts;
    const db = serviceDataSource(database.url, config, logger);
    await db.initialize();
    undo.push(() => db.destroy());
    await parts.assertKnownZone(db, config.timezone);
    await migrate(db, report, () =>
      parts.dumpBeforeMigrating({ home, db, url: database.url, report }),
    );
    await parts.startFeedClock(db);
    await parts.requireSchema({ db, home, logger });
    const { signal } = stopping;
    const uploadSlots = parts.openUploads(config);
    const service = {
      db,
      config,
      home,
      imaging,
      logger,
      uploadSlots,
      stopping: signal,
      rateLimit: parts.rateLimit(config),
      migrated: () => assertServable(db),
    };
    const wired = await parts.wireService(service);
    const { http, store, tenants, instanceId, reads, keyLocks, checks } = wired;
    undo.push(() => Promise.all([reads.close(), keyLocks.close()]));
    const { store: kind } = await parts.readInstance(db);
    await requireSentinel({ store, description: describeStore(kind, home, config), instanceId });
    await tenants.keyring.current(); // throws if the master key does not match
    const openImaging: OpenImaging = (work) => work(imaging, home.incoming);
    const { finishUploads, maintenance } = wired;
    const further = { finishUploads, maintenance, openImaging };
    const jobs = await startJobs({ db, store, config, home, logger, ...further });
    undo.push(() => jobs.stop());
    const watch = watchDatabase({ db, database, logger });
    undo.push(() => watch.stop());
    const watchedLog = parts.watchDatabaseLog({ database, logger });
    undo.push(() => watchedLog.stop());
    const watchedStore = watchStore({ store, logger });
    undo.push(() => watchedStore.stop());
    const watchedLogs = parts.watchCustody({ ...wired.custody, logger, signal });
    undo.push(() => watchedLogs.stop());
    const databaseUrl = database.url;
    const serving = { home, config, databaseUrl, imaging, uploadSlots, store, logger };
    const server = await serveHttp(http, serving);
    undo.push(() => wired.running.ended(graceMs));
    undo.push(() => server.stop(graceMs));
    const url = serviceUrl(server.host, server.port);
    const others = (): Promise<Sample[][]> => server.metrics();
    const metrics = await startMetrics(config, { db, config, home, logger, checks, others });
    undo.push(async () => metrics?.stop());
    const deliveries = wired.startDeliveries(url);
    undo.push(() => deliveries.stop());
    const about = { version: version(), started_at: new Date().toISOString() };
    const { confinement } = imaging;
    await lock.update({ address: url, s3: namesS3(config), confinement, ...about });
    const metricsUrl = metrics?.url;
    logger.info('serving', { address: url, home: home.dir, database: database.kind, metricsUrl });
    const drain = async (): Promise<void> => {
      stopping.abort();
      logger.info('stopping: finishing running requests', { address: url });
      await server.drain();
    };
    const end = async (): Promise<void> => {
      await stop();
      logger.info('stopped', { address: url });
    };
    return { url, tenants, store, imaging, metricsUrl, drain, stop: end };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Steps that stop what was started, in starting order. */
type Undo = (() => Promise<unknown>)[];

interface Starting {
  readonly home: Home;
  readonly config: Config;
  readonly report: (message: string) => void;
  readonly logger: Logger;
  readonly undo: Undo;
}

/** Serves HTTP in this process, or in several child processes. */
async function serveHttp(
  http: Parameters<typeof listen>[0],
  {
    home,
    config,
    databaseUrl,
    ...parts
  }: Omit<HttpProcessesParts, 'begin' | 'count'> &
    Pick<Begin, 'config' | 'databaseUrl'> & { readonly home: Home },
): Promise<RunningServer & { metrics(): Promise<Sample[][]> }> {
  const { host, port, workers: count } = config;
  if (count === 1) {
    const { logger } = parts;
    const maxConnections = config['limits.max_connections'];
    const keepAliveMs = config.keep_alive * secondMs;
    const limits = { keepAliveMs, maxUploadBytes: toBytes(config['limits.max_upload_mb']) };
    const server = await listen(http, { host, port, logger, maxConnections, ...limits });
    return { ...server, metrics: async () => [] };
  }
  const { HttpProcesses } = await import('./http-processes/start.js');
  const { dir: homeDir, configFile } = home;
  const begin = { homeDir, configFile, databaseUrl, port, config: shareOf(config, count) };
  return HttpProcesses.start({ ...parts, count, begin });
}

/** Serves metrics, if a port is configured. */
async function startMetrics(
  config: Config,
  parts: NodeMetricsParts,
): Promise<MetricsServer | undefined> {
  const { 'metrics.host': host, 'metrics.port': port, 'metrics.token': token } = config;
  if (port === undefined) return undefined;
  const { NodeMetrics } = await import('../ops/node-metrics.js');
  const { serveMetrics } = await import('../http/metrics-server.js');
  const { expose } = new NodeMetrics(parts);
  return serveMetrics({ host, port, token, expose, logger: parts.logger });
}

/** Starts the database and the imaging process, and loads the other modules meanwhile. */
async function startParts({ home, config, report, logger, undo }: Starting) {
  report('Starting the database and the imaging process');
  const opening = openDatabase({ home, url: config['database.url'], report }).then((database) => {
    undo.push(() => database.close());
    return database;
  });
  const starting = [
    opening
      .then(() => clearLeftovers(home)) // now that both the home and its database are ours
      .then(() => startImaging({ folder: home.incoming, ...imagingSettings(config), logger }))
      .then((imaging) => {
        undo.push(() => imaging.close(graceMs));
        return imaging;
      }),
    opening,
    loadParts(),
  ] as const;
  // Waits for all, so that everything that did start is on the undo list.
  await Promise.allSettled(starting);
  const [imaging, database, parts] = await Promise.all(starting);
  return { imaging, database, parts };
}

const loadParts = async () => ({
  ...(await import('./app.js')),
  ...(await import('../ops/service-database.js')),
  ...(await import('../database/instance.js')),
  ...(await import('../database/migrations.js')),
  ...(await import('../feed/changes/upkeep.js')),
  ...(await import('../ops/schema.js')),
  ...(await import('../ops/upgrade/dump.js')),
  ...(await import('../ops/jobs/scheduled-jobs.js')),
  ...(await import('../ops/jobs/watch.js')),
});

/** A URL usable from this machine, even if the service listens on all interfaces. */
function serviceUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${authorityOf(name, port)}`;
}
