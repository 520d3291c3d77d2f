import type { Home } from '../base/config/home.js';
import { failure } from '../base/errors/operator.js';
import type { Config } from '../base/config/options.js';
import { commandLine } from '../base/os/command-line.js';
import type { Tenants } from '../ops/tenants.js';
import type { Context } from './context.js';
import { withTenants } from './open.js';

export interface ReachableService {
  /** URL of its API. */
  readonly base: string;
  readonly tenants: Pick<Tenants, 'tokens' | 'users' | 'clock'>;
  readonly config: Config;
}

/**
 * Runs `work` as a client of the home's service: the running one, or one that is started for the
 * duration and is reachable only from this machine.
 */
export async function withService<T>(
  context: Context,
  work: (service: ReachableService) => Promise<T>,
): Promise<T> {
  const { home, ui } = context;
  const { values: config } = await context.settings();
  const { findService } = await import('../ops/home.js');
  const holder = await findService(home);
  if (!holder) return withOwnService(context, config, work);
  const { url: base } = holder;
  if (base === undefined) {
    throw failure(`The service (process ${holder.pid}) is starting.`, {
      remedy: `Run the command again when "${commandLine('status', '--home', home.dir)}" reports that it is ready.`,
    });
  }
  ui.progress(`Using the running service at ${base}`);
  return withTenants(context, (tenants) => work({ base, tenants, config }));
}

async function withOwnService<T>(
  { home, ui }: Context,
  settings: Config,
  work: (service: ReachableService) => Promise<T>,
): Promise<T> {
  const { startService } = await import('../server/service.js');
  const config: Config = {
    ...settings,
    ...({ host: '127.0.0.1', port: 0, workers: 1, 'log.level': 'error' } as const),
  };
  ui.progress('No service is running: starting one for the duration, on 127.0.0.1');
  const service = await startService(home, config, ui.progress);
  try {
    return await work({ base: service.url, tenants: service.tenants, config });
  } finally {
    await service.stop();
  }
}

/** The running service of a home. @throws OperatorError 1 if none runs, 78 if the home is not set up. */
export async function requireService(home: Home) {
  const { assertInitialised, findService } = await import('../ops/home.js');
  const found = await findService(home);
  const { url } = found ?? {};
  if (found && url !== undefined) return { ...found, url };
  await assertInitialised(home);
  throw failure(`imgstore is not running for ${home.dir}.`, {
    remedy: commandLine('serve', '--home', home.dir),
  });
}
