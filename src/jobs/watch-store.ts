import type { Logger } from '../telemetry/logger.js';
import { repeatedly } from './repeatedly.js';
import { secondMs } from '../units.js';

/** As often as a move of the objects to another store may count on it, in milliseconds. */
const intervalMs = 2 * secondMs;

/** Follows the objects when they move to another store, also while nothing is uploaded here. */
export function watchStore(parts: {
  readonly store: { refresh(): Promise<boolean> };
  readonly logger: Logger;
}) {
  const { store, logger } = parts;
  return repeatedly(intervalMs, async () => {
    try {
      if (await store.refresh()) logger.info('the objects are somewhere else now');
    } catch (error) {
      // Requests tell when the database is away; here is said what nothing else would tell.
      logger.debug('cannot look where the objects are', { reason: (error as Error).message });
    }
  });
}
