import { problemOf } from './problem';
import { unanswered } from './reach';

/** What the server says of itself to everyone (src/console/settings.ts). */
export interface ServiceSettings {
  /** IANA name, of all days and times of the API. */
  readonly time_zone: string;
  /** What lies below the images of a map, if not what comes with the console. */
  readonly basemap?: BaseMap;
}

export interface BaseMap {
  /** Address of tiles, with `{z}`, `{x}` and `{y}`. */
  readonly tiles: string;
  readonly attribution?: string;
}

let reading: Promise<ServiceSettings> | undefined;

async function read(): Promise<ServiceSettings> {
  const answer = await fetch('/console/settings.json').catch(() => {
    throw unanswered();
  });
  if (!answer.ok) throw problemOf(answer.status, undefined);
  return (await answer.json()) as ServiceSettings;
}

/** Asked for once. @throws Problem. */
export function serviceSettings(): Promise<ServiceSettings> {
  reading ??= read().catch((problem: unknown) => {
    reading = undefined;
    throw problem;
  });
  return reading;
}
