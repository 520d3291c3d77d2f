import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from '../../base/config/home.js';
import type { Config } from '../../base/config/options.js';
import type { Logger } from '../../base/telemetry/logger.js';
import type { MetadataReader } from '../../imaging/port.js';

/** Passes an imaging process to `work`, and a folder for the files that it is to read. */
export type OpenImaging = <T>(
  work: (imaging: MetadataReader, folder: string) => Promise<T>,
) => Promise<T>;

/** For programs other than the service: starts an imaging process, and ends it afterward. */
export const ownImaging =
  (home: Home, config: Config, logger: Logger): OpenImaging =>
  async (work) => {
    const { imagingSettings, startImaging } = await import('../../imaging/start.js');
    const folder = await mkdtemp(join(home.incoming, 'job-'));
    try {
      const imaging = await startImaging({ folder, ...imagingSettings(config), logger });
      try {
        return await work(imaging, folder);
      } finally {
        await imaging.close(0);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
