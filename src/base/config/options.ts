import { backup, database, s3, imaging, jobs } from './settings/storage.js';
import {
  identity,
  limits,
  server,
  tokens,
  log,
  metrics,
  map,
  webhooks,
  custody,
  links,
  oidc,
} from './settings/server.js';
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
  ...custody,
  ...links,
  ...tokens,
  ...identity,
  ...oidc,
  ...backup,
  ...map,
  ...log,
  ...metrics,
};

type Options = typeof options;
export type OptionKey = keyof Options;

/** The effective value of every setting, by key. */
export type Config = { readonly [K in OptionKey]: ValueOf<Options[K]> };

/** All that are read, those that retire, too. */
export const knownKeys = Object.keys(options) as OptionKey[];

/** Those that help, reference, and files list. */
export const optionKeys = knownKeys.filter((key) => !('retires' in options[key]));

/** `database.url` → `--database-url` */
export const flagOf = (key: OptionKey): string => `--${key.replaceAll(/[._]/g, '-')}`;

const hasFlag = (key: OptionKey): boolean => !('flagless' in options[key]);

/** The settings that have a flag. */
export const knownFlags = knownKeys.filter(hasFlag);

/** Of these, those that are listed. */
export const flaggedKeys = optionKeys.filter(hasFlag);

/** `database.url` → `IMGSTORE_DATABASE_URL` */
export const variableOf = (key: OptionKey): string =>
  `IMGSTORE_${key.replaceAll('.', '_').toUpperCase()}`;
