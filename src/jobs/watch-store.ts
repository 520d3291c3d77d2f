import type { Logger } from '../telemetry/logger.js';
import { storeCheckMs } from '../store/movable-store.js';
import { runEvery } from './run-every.js';

/** Notices when the objects move to another store, even if nothing is uploaded here. */
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
