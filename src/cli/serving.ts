import type { RunningService } from '../service.js';
import type { Context } from './context.js';
import type { Outcome } from './ui.js';

/**
 * Serves until SIGTERM or SIGINT, then stops in phases; a second signal ends at once.
 * @param ready makes what is printed when the service is up.
 */
export async function serveUntilSignal(
  context: Context,
  ready: (service: RunningService) => Promise<Outcome>,
): Promise<void> {
  const { values: config } = await context.settings();
  const { startService } = await import('../service.js');
  const stopped = firstSignal();
  const service = await startService(context.home, config, context.ui.progress);
  try {
    context.ui.result(await ready(service));
    await stopped;
    context.ui.progress('Finishing what runs');
  } finally {
    await service.stop();
  }
}

/** Resolves at the first signal to stop; the second one finds no handler and ends the process. */
function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}
