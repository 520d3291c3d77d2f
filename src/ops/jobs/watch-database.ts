import type { DataSource } from 'typeorm';
import { isConnectionError, ping } from '../../database/connection-error.js';
import type { OpenDatabase } from '../../database/postgres/provision.js';
import type { Logger } from '../../base/telemetry/logger.js';
import { runEvery } from './run-every.js';
import { minuteMs, secondMs } from '../../base/units.js';

const intervalMs = 2 * secondMs;

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

/** Monitors the private database server and restarts it if it died. */
export function watchDatabase(parts: { db: DataSource; database: OpenDatabase; logger: Logger }) {
  const { db, database, logger } = parts;
  const stopping = new AbortController();
  const rounds = runEvery(intervalMs, async () => {
    try {
      await ping(db);
    } catch (error) {
      if (!isConnectionError(error) || stopping.signal.aborted) return;
      logger.warn('the database does not respond', { reason: (error as Error).message });
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
