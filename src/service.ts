import { mkdir, rm } from 'node:fs/promises';
import type { DataSource } from 'typeorm';
import { describeDatabase, wireService } from './app.js';
import type { Tenants } from './app.js';
import type { Home } from './config/home.js';
import { acquireLock, LockHeldError } from './config/process-lock.js';
import type { Lock } from './config/process-lock.js';
import type { Config } from './config/options.js';
import { migrate, migrationStatus } from './database/migrations.js';
import { openDatabase } from './database/provision.js';
import type { OpenDatabase } from './database/provision.js';
import { failure } from './errors/operator.js';
import { listen } from './http/server.js';
import type { ImagingRoom } from './imaging/room.js';
import { startImaging } from './imaging/start.js';
import { startJobs } from './jobs/schedule.js';
import { watchDatabase } from './jobs/watch-database.js';
import type { ObjectStore } from './store/port.js';
import { createLogger } from './telemetry/logger.js';

/** Longest time that running requests get when the service stops. */
const graceMs = 30_000;

export interface RunningService {
  /** Where this machine reaches it. */
  readonly address: string;
  readonly tenants: Tenants;
  readonly store: ObjectStore;
  readonly imaging: ImagingRoom;
  /** Stops accepting, finishes what runs, then ends everything that `startService` started. */
  stop(): Promise<void>;
}

/**
 * Starts everything in order, and undoes it all when a step fails.
 * @throws OperatorError that tells which part is wrong.
 */
export async function startService(
  home: Home,
  config: Config,
  report: (message: string) => void,
): Promise<RunningService> {
  const logger = createLogger({ level: config['log.level'], format: config['log.format'] });
  const undo: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (let step = undo.pop(); step; step = undo.pop()) {
      await step().catch((error: unknown) => logger.error('stopping', { error }));
    }
  };
  try {
    const lock = await claimHome(home);
    undo.push(() => lock.release());
    await emptyIncoming(home);
    const { database, db } = await connect(home, config, report, undo);
    report('Starting the imaging process');
    const imaging = await startImaging({
      threads: config['imaging.threads'],
      maxPixels: config['limits.max_megapixels'] * 1e6,
      timeoutMs: config['imaging.timeout'] * 1000,
      queueLimit: config['imaging.queue_limit'],
      logger,
    });
    undo.push(() => imaging.close(graceMs));
    const migrated = async (): Promise<void> => {
      const pending = (await migrationStatus(db)).filter((m) => !m.appliedAt);
      if (pending.length > 0) throw new Error('migrations are pending');
    };
    const wired = await wireService({ db, config, home, imaging, logger, migrated });
    await wired.store.check();
    const jobs = startJobs({ db, store: wired.store, logger });
    undo.push(() => jobs.stop());
    const watch = watchDatabase({ db, database, logger });
    undo.push(() => watch.stop());
    const server = await listen(wired.http, config.host, config.port);
    undo.push(() => server.stop(graceMs));
    const address = addressOf(server.host, server.port);
    await lock.update({ address });
    logger.info('serving', { address, home: home.dir, database: database.kind });
    return { address, tenants: wired.tenants, store: wired.store, imaging, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function claimHome(home: Home): Promise<Lock> {
  return acquireLock(home.serveLock).catch((error: unknown) => {
    if (!(error instanceof LockHeldError)) throw error;
    const { pid, info } = error.holder;
    const where = typeof info.address === 'string' ? ` at ${info.address}` : '';
    throw failure(`This home is being served already, by process ${pid}${where}.`, {
      setting: 'home',
      remedy: `Stop it first ("kill ${pid}"), or choose another --home.`,
    });
  });
}

/** What lies there was left by uploads that a crash cut off. */
async function emptyIncoming(home: Home): Promise<void> {
  await rm(home.incoming, { recursive: true, force: true });
  await mkdir(home.incoming, { mode: 0o700 });
}

async function connect(
  home: Home,
  config: Config,
  report: (message: string) => void,
  undo: (() => Promise<void>)[],
): Promise<{ database: OpenDatabase; db: DataSource }> {
  report('Opening the database');
  const database = await openDatabase({ home, url: config['database.url'], report });
  undo.push(() => database.close());
  const db = describeDatabase(database.url, config);
  await db.initialize();
  undo.push(() => db.destroy());
  await migrate(db, report);
  return { database, db };
}

/** An address that this machine can use, also when the service listens on all of its addresses. */
function addressOf(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host;
  return `http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`;
}
