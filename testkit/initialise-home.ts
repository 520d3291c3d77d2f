import { describeDatabase } from '../src/app.js';
import type { Home } from '../src/config/home.js';
import type { Config } from '../src/config/options.js';
import { initialise } from '../src/operations/initialise.js';
import { openerOf } from '../src/stores.js';

/** Prepares a home and its database as `imgstore init` does. @param report says what takes long. */
export const initialiseHome = (
  home: Home,
  config: Config,
  report: (line: string) => void = () => undefined,
): Promise<unknown> =>
  initialise({
    home,
    config,
    chosen: {},
    report,
    describeDatabase: (address) => describeDatabase(address, config),
    openStore: openerOf(home, config),
  });
