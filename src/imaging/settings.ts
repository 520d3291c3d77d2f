import type { Config } from '../base/config/options.js';
import { bytesPerMegabyte, secondMs } from '../base/units.js';
import type { ImagingOptions } from './start.js';

type ImagingSettings = Pick<
  ImagingOptions,
  'threads' | 'maxPixels' | 'heifDecoder' | 'sandbox' | 'timeoutMs' | 'memoryBytes' | 'queueLimit'
>;

/** The imaging options from the settings of an installation. */
export const imagingSettings = (config: Config): ImagingSettings => ({
  threads: config['imaging.threads'],
  maxPixels: config['limits.max_megapixels'] * 1e6,
  heifDecoder: config['imaging.heif_decoder'],
  sandbox: config['imaging.sandbox'],
  timeoutMs: config['imaging.timeout'] * secondMs,
  memoryBytes: config['imaging.memory_mb'] * bytesPerMegabyte,
  queueLimit: config['imaging.queue_limit'],
});
