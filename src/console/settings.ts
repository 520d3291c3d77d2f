import type { Config } from '../config/options.js';

/** What the console has to know of the service, whoever signs in. */
export interface ConsoleSettings {
  /** IANA name, of all days and times of the API. */
  readonly time_zone: string;
  /** What lies below the images of a map, if not what comes with the console. */
  readonly basemap?: { readonly tiles: string; readonly attribution?: string };
}

export function consoleSettings(config: Config): ConsoleSettings {
  const tiles = config['map.basemap'];
  const attribution = config['map.attribution'];
  return {
    time_zone: config.timezone,
    ...(tiles !== undefined && {
      basemap: { tiles, ...(attribution !== undefined && { attribution }) },
    }),
  };
}
