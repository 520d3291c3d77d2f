import { once } from 'node:events';
import { serviceLogger, startService, type RunningService } from '../server/service.js';
import type { Context } from './context.js';
import { ServiceManager } from './service-manager.js';
import { notifySupervisor } from './supervise.js';
import { SilentExit } from './silent-exit.js';
import type { CommandResult } from './ui.js';
import { onUncaught } from '../base/telemetry/logger.js';

/**
 * Serves until SIGTERM, SIGINT, or SIGHUP, then stops in phases, each reported to the service
 * manager.
 * @param ready returns what to print once the service is up.
 * @throws SilentExit (1) when it stopped because of an uncaught error, which has been logged.
 */
export async function serveUntilSignal(
  context: Context,
  ready: (service: RunningService) => Promise<CommandResult>,
): Promise<void> {
  const { home, interrupted, ui } = context;
  const manager = new ServiceManager(process.env);
  const report = (message: string): void => {
    ui.progress(message);
    manager.status(message);
  };
  const { values: config } = await context.settings();
  const logger = serviceLogger(config);
  const broken = onUncaught((error) => logger.error('uncaught', { error }));
  const service = await startService(home, config, report);
  try {
    const outcome = await ready(service);
    await manager.ready(service.url);
    ui.result(outcome);
    notifySupervisor(service.url);
    const end = AbortSignal.any([interrupted, broken]);
    if (!end.aborted) await once(end, 'abort');
    ui.progress('Finishing running requests');
  } finally {
    await manager.stopping();
    await service.drain();
    await service.stop();
  }
  if (broken.aborted) throw new SilentExit();
}
