import { z } from 'zod';
import type { Geotag } from './own-exif.js';

/** Takeout truncates the part of a file name before `.json` to this length. */
const cutLength = 46;

const suffix = '.supplemental-metadata';

/** What Google Photos adds to the name of a picture that was edited there, in some languages. */
const edited =
  /-(edited|bearbeitet|modifié|editado|modificato|bewerkt|수정됨|編集済み|已编辑)(?=\.[^.]+$)/;

/** `name(2).jpg` is described by `name.jpg(2).json`. */
const numbered = /^(.*)(\(\d+\))(\.[^.]+)$/;

/** What else an edited copy may have been made from; it is a JPEG itself. */
const originals = ['.heic', '.jpg', '.jpeg', '.png', '.webp', '.dng'];

/** Describes an album or an account, not a picture; in English, as other languages translate it. */
export const aboutAlbums =
  /^(metadata|print-subscriptions|shared_album_comments|user-generated-memory-titles)(\(\d+\))?\.json$/i;

/** Names as they are compared: macOS decomposes letters, and Windows ignores case. */
export const folded = (name: string): string => name.normalize('NFC').toLowerCase();

/** A name without its number, and the number. */
type Numbered = readonly [name: string, number: string];

/** The JSON files of a directory, found by the pictures that they describe. */
export class TakeoutNames {
  /** By what precedes the number, and the number. */
  readonly #names = new Map<string, string>();

  constructor(files: readonly string[]) {
    for (const file of files) {
      const [, base = '', number = ''] = /^(.*?)(\(\d+\))?\.json$/s.exec(folded(file)) ?? [];
      if (base !== '') this.#names.set(base + '\0' + number, file);
    }
  }

  /** The name of the JSON file of a picture, if it has one. */
  of(picture: string): string | undefined {
    const own = spellings(folded(picture));
    const unedited = own.flatMap(([name, number]) =>
      edited.test(name) ? spellings(name.replace(edited, ''), number) : [],
    );
    const stems = [...own, ...unedited].map(([name, number]) => [stemOf(name), number] as const);
    const others = unedited.flatMap(([name, number]) =>
      originals.map((extension) => [stemOf(name) + extension, number] as const),
    );
    return (
      this.#first([...own, ...unedited], (name) => cuts(name + suffix, name.length)) ??
      this.#first(others, (name) => cuts(name + suffix, name.length)) ??
      this.#first(stems, (stem) => [stem])
    );
  }

  #first(
    names: readonly Numbered[],
    forms: (name: string) => Iterable<string>,
  ): string | undefined {
    for (const [name, number] of names) {
      for (const form of forms(name)) {
        const found = this.#names.get(form + '\0' + number);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }
}

/** A name with its number apart, and as it is. */
function spellings(name: string, number = ''): Numbered[] {
  const [, stem, own, extension = ''] = (number === '' && numbered.exec(name)) || [];
  const whole: Numbered = [name, number];
  if (stem === undefined || own === undefined) return [whole];
  return [[stem + extension, own], [stem + extension + own, ''], whole];
}

const stemOf = (name: string): string => name.replace(/\.[^.]+$/, '');

/** A name and all that truncation may have left of it. */
function* cuts(full: string, shortest: number): Generator<string> {
  const least = Math.min(shortest, cutLength);
  for (let length = full.length; length >= least; length -= 1) yield full.slice(0, length);
}

const degrees = z.object({ latitude: z.number(), longitude: z.number() });

const described = z.object({
  photoTakenTime: z.object({ timestamp: z.coerce.number() }).optional().catch(undefined),
  geoData: degrees.optional().catch(undefined),
  geoDataExif: degrees.optional().catch(undefined),
});

/** Reads the text of such a file; empty if it is something else. */
export function readTakeout(text: string): Geotag {
  const { data } = described.safeParse(parsed(text));
  const seconds = data?.photoTakenTime?.timestamp;
  return {
    coordinates: coordinatesOf(data?.geoData) ?? coordinatesOf(data?.geoDataExif),
    time: seconds === undefined ? undefined : instant(seconds * 1000),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Takeout writes 0, 0 where there are no coordinates. */
function coordinatesOf(coordinates: z.output<typeof degrees> | undefined): Geotag['coordinates'] {
  if (!coordinates || (coordinates.latitude === 0 && coordinates.longitude === 0)) return undefined;
  return Math.abs(coordinates.latitude) <= 90 && Math.abs(coordinates.longitude) <= 180
    ? coordinates
    : undefined;
}

/** @returns undefined for a time that a record cannot represent. */
export function instant(milliseconds: number): Date | undefined {
  const time = new Date(milliseconds);
  const year = time.getUTCFullYear();
  return year >= 2 && year <= 9998 ? time : undefined;
}
