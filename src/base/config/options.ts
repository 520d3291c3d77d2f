import { backup } from './settings/backup.js';
import { database } from './settings/database.js';
import { imaging } from './settings/imaging.js';
import { jobs } from './settings/jobs.js';
import { limits } from './settings/limits.js';
import { log } from './settings/log.js';
import { map } from './settings/map.js';
import { metrics } from './settings/metrics.js';
import { s3 } from './settings/s3.js';
import { server } from './settings/server.js';
import { tokens } from './settings/tokens.js';
import { webhooks } from './settings/webhooks.js';
import type { ValueOf } from './setting.js';

/**
 * The single list of all settings. Flags (`--database-url`), environment variables
 * (`IMGSTORE_DATABASE_URL`), config.yaml keys, --help, and the reference
 * in docs/configuration.md are all generated from it.
 */
export const options = {
  ...server,
  ...database,
  ...s3,
  ...imaging,
  ...limits,
  ...jobs,
  ...webhooks,
  ...tokens,
  ...backup,
  ...map,
  ...log,
  ...metrics,
};

type Options = typeof options;
export type OptionKey = keyof Options;

/** The effective value of every setting, by key. */
export type Config = { readonly [K in OptionKey]: ValueOf<Options[K]> };

export const optionKeys = Object.keys(options) as OptionKey[];

/** `database.url` → `--database-url` */
export const flagOf = (key: OptionKey): string => `--${key.replaceAll(/[._]/g, '-')}`;

const isFlagless = (key: OptionKey): boolean =>
  'flagless' in options[key] && !!options[key].flagless;

/** The settings that have a flag. */
export const flaggedKeys = optionKeys.filter((key) => !isFlagless(key));

/** `database.url` → `IMGSTORE_DATABASE_URL` */
export const variableOf = (key: OptionKey): string =>
  `IMGSTORE_${key.replaceAll('.', '_').toUpperCase()}`;
