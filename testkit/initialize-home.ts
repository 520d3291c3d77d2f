import type { Home } from '../src/base/config/home.js';
import type { Config } from '../src/base/config/options.js';
import { initialize, type InitializeParts } from '../src/ops/initialize.js';

/**
 * Prepares a home and its database as `imgstore init` does. @param options the settings to write to
 *   config.yaml, and a callback for progress.
 */
export const initializeHome = (
  home: Home,
  config: Config,
  options: Partial<Pick<InitializeParts, 'chosen' | 'report'>> = {},
): Promise<unknown> =>
  initialize({
    home,
    config,
    chosen: {},
    report: () => undefined,
    warn: () => undefined,
    ...options,
  });
