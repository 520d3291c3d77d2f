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

/** The JSON files of a directory, found by the pictures that they describe. */
export class TakeoutNames {
  /** By what precedes the number, and the number. */
  readonly #names = new Map<string, string>();

  constructor(files: readonly string[]) {
    for (const name of files) {
      const [, base = '', number = ''] = /^(.*?)(\(\d+\))?\.json$/i.exec(name) ?? [];
      if (base !== '') this.#names.set(base + '\0' + number, name);
    }
  }

  /** The name of the JSON file of a picture, if it has one. */
  of(picture: string): string | undefined {
    const [, stem, number = '', extension] = numbered.exec(picture) ?? [];
    const plain = stem === undefined ? picture : `${stem}${extension}`;
    return (
      this.#find(plain, number) ??
      this.#find(picture, '') ??
      this.#find(plain.replace(edited, ''), number)
    );
  }

  /** Matches the whole suffix, or what truncation left of it. */
  #find(picture: string, number: string): string | undefined {
    const full = picture + suffix;
    for (let length = full.length; length >= Math.min(picture.length, cutLength); length -= 1) {
      const name = this.#names.get(full.slice(0, length) + '\0' + number);
      if (name !== undefined) return name;
    }
    return undefined;
  }
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
