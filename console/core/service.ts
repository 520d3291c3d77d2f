import { problemOf } from './problem';
import { settingsUrl, unanswered } from './reach';
import { useRead } from './use-read';

/** The content of `settingsUrl`. */
export interface ServiceSettings {
  /** IANA name of the zone of all days and times in the API. */
  readonly time_zone: string;
  /** Days that things stay in the trash; 0: as long as nobody deletes them. */
  readonly trash_days: number;
  /** How commands are typed on the server: what comes before their words, and after them. */
  readonly command: { readonly program: string; readonly options: string };
  /** Where people sign in with the account of their office, if they can, and out of it. */
  readonly office?: { readonly url: string; readonly exit: string; readonly provider: string };
  /** The base map, if not the one included with the console. */
  readonly basemap?: BaseMap;
}

export interface BaseMap {
  /** URL of tiles, with `{z}`, `{x}` and `{y}`. */
  readonly tiles: string;
  readonly attribution?: string;
}

let reading: Promise<ServiceSettings> | undefined;

async function read(): Promise<ServiceSettings> {
  const answer = await fetch(settingsUrl).catch(() => {
    throw unanswered();
  });
  if (!answer.ok) throw problemOf(answer.status, undefined);
  return (await answer.json()) as ServiceSettings;
}

/** Requested once. @throws Problem. */
export function serviceSettings(): Promise<ServiceSettings> {
  reading ??= read().catch((problem: unknown) => {
    reading = undefined;
    throw problem;
  });
  return reading;
}

/** Puts the words of a command of imgstore as they are typed on this server. */
export function useCommand(): (words: string) => string {
  const { data } = useRead(() => serviceSettings(), []);
  const { program, options } = data?.command ?? { program: 'imgstore', options: '' };
  return (words) => `${program} ${words}${options}`;
}
