import { serviceDataSource } from '../src/app.js';
import type { Home } from '../src/config/home.js';
import type { Config } from '../src/config/options.js';
import { initialize } from '../src/operations/initialize.js';
import { openerOf } from '../src/stores.js';

/** Prepares a home and its database as `imgstore init` does. @param report says what takes long. */
export const initializeHome = (
  home: Home,
  config: Config,
  report: (line: string) => void = () => undefined,
): Promise<unknown> =>
  initialize({
    home,
    config,
    chosen: {},
    report,
    dataSource: (address) => serviceDataSource(address, config),
    openStore: openerOf(home, config),
  });
