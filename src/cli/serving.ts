import { once } from 'node:events';
import type { RunningService } from '../service.js';
import type { Context } from './context.js';
import type { Outcome } from './ui.js';

/**
 * Serves until SIGTERM, SIGINT or SIGHUP, then stops in phases.
 * @param ready makes what is printed when the service is up.
 */
export async function serveUntilSignal(
  context: Context,
  ready: (service: RunningService) => Promise<Outcome>,
): Promise<void> {
  const { home, interrupted, ui } = context;
  const { values: config } = await context.settings();
  const { startService } = await import('../service.js');
  interrupted.throwIfAborted();
  const service = await startService(home, config, ui.progress);
  try {
    ui.result(await ready(service));
    if (!interrupted.aborted) await once(interrupted, 'abort');
    ui.progress('Finishing what runs');
  } finally {
    await service.stop();
  }
}
