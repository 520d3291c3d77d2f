import type { Logger } from '../../base/telemetry/logger.js';
import { storeCheckMs } from '../../store/movable-store.js';
import { runEvery } from './run-every.js';

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
