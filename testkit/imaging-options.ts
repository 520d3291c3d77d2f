import { Home } from '../src/config/home.js';
import { loadSettings } from '../src/config/load.js';
import { imagingSettings } from '../src/imaging/settings.js';
import { bytesPerMegabyte } from '../src/units.js';

const { values } = await loadSettings({ flags: {}, env: {}, home: new Home('/nonexistent') });

/** As installations have it by default, but with as much memory on any machine. */
export const usualImaging = {
  ...imagingSettings(values),
  memoryBytes: 1024 * bytesPerMegabyte,
} as const;
