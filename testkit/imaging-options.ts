import { Home } from '../src/base/config/home.js';
import { loadSettings } from '../src/base/config/load.js';
import { imagingSettings } from '../src/imaging/start.js';
import { bytesPerMegabyte } from '../src/base/units.js';

const { values } = await loadSettings({ flags: {}, env: {}, home: new Home('/nonexistent') });

/** The default settings, but with the same memory on every machine. */
export const usualImaging = {
  ...imagingSettings(values),
  memoryBytes: 1024 * bytesPerMegabyte,
} as const;
