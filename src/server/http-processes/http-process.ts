/**
 * A process that serves HTTP, one of several on a machine with many cores. Everything that exists
 * once per node stays in the service that started it: the imaging queue, the jobs, the upload
 * slots.
 */
import { rateLimit, wireService } from '../app.js';
import { serviceDataSource } from '../../ops/service-database.js';
import { Home } from '../../base/config/home.js';
import { assertServable } from '../../database/migrations.js';
import { guarded, ignore } from '../../base/guarded.js';
import { listen, type RunningServer } from '../../http/server.js';
import type { CountedEvent } from '../../http/rate-limit.js';
import { watchStore } from '../../ops/jobs/watch.js';
import type { ObjectStore } from '../../store/port.js';
import { followLevel, createLogger, onUncaught } from '../../base/telemetry/logger.js';
import { secondMs, toBytes } from '../../base/units.js';
import { type Begin, Channel, type Peer } from './channel.js';
import { RemoteImaging, RemoteUploadSlots } from './remote.js';

/** How long running requests may take to finish after an uncaught error, in milliseconds. */
const brokenGraceMs = 30 * secondMs;

const exit = (): void => process.exit(1);

// A terminal sends Ctrl-C to every process of the group, but the service decides when they end. At
// SIGUSR1, Node.js would open its debugger.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1'] as const) {
  process.on(signal, guarded(exit, ignore));
}
// The service has ended, and with it imaging and the private database.
process.once('disconnect', guarded(exit, exit));

const stopping = new AbortController();
let server: RunningServer | undefined;

const service: Channel = new Channel(process as Peer, {
  begin,
  note: (event: CountedEvent) => limit?.note(event),
  distrustStore: () => store?.distrust(),
  drain: async () => {
    stopping.abort();
    await server?.drain();
  },
  stop: (graceMs: number) => server?.stop(graceMs),
  metrics: async () => (await import('../../base/telemetry/exposition.js')).sampleProcess(),
});

let limit: ReturnType<typeof rateLimit> | undefined;
let store: ObjectStore | undefined;

await service.call('loaded');

/** @returns the port that it listens on. */
async function begin(begun: Begin): Promise<number> {
  const { homeDir, configFile, config, databaseUrl, port } = begun;
  const home = new Home(homeDir, configFile);
  const logger = createLogger({ level: config['log.level'], format: config['log.format'] });
  followLevel(home.logLevel, logger);
  if (config['metrics.port'] !== undefined) {
    const { measureProcess } = await import('../../base/telemetry/exposition.js');
    measureProcess(`http-${begun.number}`);
  }
  const broken = onUncaught((error) => logger.error('uncaught', { error, pid: process.pid }));
  const db = await serviceDataSource(databaseUrl, config, logger).initialize();
  const announce = (event: CountedEvent): void =>
    void service.call('counted', event).catch(() => undefined);
  limit = rateLimit(config, announce);
  const wired = await wireService({
    db,
    config,
    home,
    logger,
    rateLimit: limit,
    onPutFailed: () => void service.call('putFailed').catch(() => undefined),
    stopping: stopping.signal,
    imaging: new RemoteImaging(service),
    uploadSlots: new RemoteUploadSlots(service),
    migrated: () => assertServable(db),
  });
  store = wired.store;
  await wired.tenants.keyring.current();
  watchStore({ store: wired.store, logger });
  server = await listen(wired.http, {
    host: config.host,
    port,
    maxConnections: config['limits.max_connections'],
    keepAliveMs: config.keep_alive * secondMs,
    maxUploadBytes: toBytes(config['limits.max_upload_mb']),
    logger,
  });
  const end = guarded(exit, () => endBroken(server));
  broken.addEventListener('abort', end, { once: true });
  if (broken.aborted) end();
  return server.port;
}

/** Finishes running requests; the service starts another process. */
async function endBroken(server: RunningServer | undefined): Promise<void> {
  await server?.drain();
  await server?.stop(brokenGraceMs);
  exit();
}
