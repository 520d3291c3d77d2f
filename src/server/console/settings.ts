import type { Config } from '../../base/config/options.js';

/** What the console needs to know about the service, regardless of who signs in. */
export interface ConsoleSettings {
  /** IANA name of the zone of all days and times in the API. */
  readonly time_zone: string;
  /** The base map, if not the one included with the console. */
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
