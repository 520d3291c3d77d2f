import type { Logger } from '../telemetry/logger.js';
import { runEvery } from './run-every.js';
import { secondMs } from '../units.js';

/** In milliseconds; a move of the objects to another store relies on this frequency. */
const intervalMs = 2 * secondMs;

/** Notices when the objects move to another store, even if nothing is uploaded here. */
export function watchStore(parts: {
  readonly store: { refresh(): Promise<boolean> };
  readonly logger: Logger;
}) {
  const { store, logger } = parts;
  return runEvery(intervalMs, async () => {
    try {
      if (await store.refresh()) logger.info('the objects are now in another store');
    } catch (error) {
      // Requests report an unavailable database; this logs only what nothing else would report.
      logger.debug('cannot check where the objects are', { reason: (error as Error).message });
    }
  });
}
