import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { Logger } from '../../base/telemetry/logger.js';
import { minuteMs, secondMs } from '../../base/units.js';
import { explainServer, isConnectionError, ping } from '../../database/connection-error.js';
import type { OpenDatabase } from '../../database/postgres/provision.js';
import { storeCheckMs } from '../../store/movable-store.js';

const pingIntervalMs = 2 * secondMs;

const logIntervalMs = minuteMs;

/** Prevents the log of a private database from growing without limit. */
export function watchDatabaseLog(parts: { database: OpenDatabase; logger: Logger }) {
  return runEvery(logIntervalMs, async () => {
    try {
      if (await parts.database.rotateLog()) parts.logger.info("the database's log was rotated");
    } catch (error) {
      const reason = (error as Error).message;
      parts.logger.warn("the database's log cannot be rotated", { reason });
    }
  });
}

/** Says what ails the database, and restarts a private server that died. */
export function watchDatabase(parts: { db: DataSource; database: OpenDatabase; logger: Logger }) {
  const { db, database, logger } = parts;
  const stopping = new AbortController();
  let said = '';
  const say = (message: string, remedy?: string): void => {
    if (message !== said) logger.warn(message, { remedy });
    said = message;
  };
  const rounds = runEvery(pingIntervalMs, async () => {
    try {
      await ping(db);
      if (said !== '') logger.info('the database can be used again');
      said = '';
    } catch (error) {
      const trouble = isConnectionError(error) && explainServer(error);
      if (!trouble || stopping.signal.aborted) return;
      say(trouble.message, trouble.remedy);
      await database.revive(stopping.signal).catch((failed: unknown) => {
        logger.error('the database cannot be started', { reason: (failed as Error).message });
      });
    }
  });
  return {
    stop: (): Promise<void> => {
      stopping.abort();
      return rounds.stop();
    },
  };
}

/** Detects that the objects move to another store, even without uploads on this node. */
export function watchStore(parts: {
  readonly store: { refresh(): Promise<boolean> };
  readonly logger: Logger;
}) {
  const { store, logger } = parts;
  return runEvery(storeCheckMs, async () => {
    try {
      if (await store.refresh()) logger.info('the objects are now in another store');
    } catch (error) {
      // Requests report an unavailable database; this logs only what nothing else would report.
      logger.debug('cannot check where the objects are', { reason: (error as Error).message });
    }
  });
}

interface Custody {
  readonly logs: CatchingUp;
  /** Undefined if nobody is to stamp them. */
  readonly stamps: CatchingUp | undefined;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

interface CatchingUp {
  catchUp(signal: AbortSignal): Promise<void>;
}

/** Takes what has happened into the logs of the platforms; beside that, has them stamped. */
export function watchCustody({ logs, stamps, logger, signal }: Custody) {
  const behind = (what: CatchingUp, intervalMs: number, message: string) => {
    let failed = false;
    return runEvery(intervalMs, async () => {
      try {
        await what.catchUp(signal);
        failed = false;
      } catch (error) {
        if (!failed) logger.warn(message, { error });
        failed = true;
      }
    });
  };
  const all = [behind(logs, secondMs, 'the logs of the platforms are behind; retrying')];
  const late = 'the logs of the platforms get no time stamps; retrying';
  if (stamps) all.push(behind(stamps, 5 * secondMs, late));
  return { stop: () => Promise.all(all.map((one) => one.stop())) };
}

/**
 * Runs `work`, which reports its own failures, over and over, this many milliseconds after the
 * previous run has ended.
 */
function runEvery(intervalMs: number, work: () => Promise<void>) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const rounds = async (): Promise<void> => {
    for (;;) {
      await delay(intervalMs, undefined, { signal });
      await work().catch(() => undefined); // the next run may succeed
    }
  };
  const ended = rounds().catch(() => undefined);
  return {
    /** Starts no further run, and waits for the current one. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await ended;
    },
  };
}
