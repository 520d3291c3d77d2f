import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { WallClock } from '../../base/time.js';
import { ownGeotag, type Geotag, readTakeout, xmpGeotag } from './geotags.js';
import { escaped, isSidecar, type FoundDirectory } from './scan-tree.js';

/** A larger file is not a sidecar. */
const maxBytes = 1024 * 1024;

/** Where the place or the time of a picture comes from; `file`: its modification time. */
export type GeotagSource = 'exif' | 'xmp' | 'takeout' | 'file' | 'none';

/** Where and when a picture was taken, and which sources said so. */
export interface FoundGeotag extends Geotag {
  readonly placeFrom: GeotagSource;
  readonly timeFrom: GeotagSource;
}

/** The files of a directory that describe its pictures. */
export class Sidecars {
  /** The sidecars of each picture. */
  readonly #of = new Map<string, { readonly xmp?: string; readonly takeout?: string }>();
  /** The sidecars that describe none of the pictures; a name that is not UTF-8 is escaped. */
  readonly unmatched: readonly string[];

  constructor(
    private readonly directory: Pick<FoundDirectory, 'path' | 'files' | 'cut'>,
    private readonly clock: WallClock,
  ) {
    const { files, cut } = directory;
    const takeouts = new TakeoutNames([...files, ...cut.keys()]);
    const xmps = new Map(
      files.filter((name) => /\.xmp$/i.test(name)).map((name) => [folded(name), name]),
    );
    const used = new Set<string>();
    for (const picture of files) {
      if (isSidecar(picture)) continue;
      const name = folded(picture);
      const xmp = xmps.get(`${name}.xmp`) ?? xmps.get(name.replace(/\.[^.]+$/, '.xmp'));
      const takeout = takeouts.of(picture);
      if (xmp !== undefined) used.add(xmp);
      if (takeout !== undefined) used.add(takeout);
      if (xmp !== undefined || takeout !== undefined) {
        this.#of.set(picture, { ...(xmp && { xmp }), ...(takeout && { takeout }) });
      }
    }
    this.unmatched = [
      ...files.filter((name) => isSidecar(name) && !used.has(name) && !aboutAlbums.test(name)),
      ...[...cut].filter(([name]) => !used.has(name)).map(([, raw]) => escaped({ name: raw })),
    ];
  }

  /** Whether a picture has no sidecar, although others beside it have one. */
  isBare(picture: string): boolean {
    return this.#of.size > 0 && !this.#of.has(picture);
  }

  /**
   * Coordinates and time, each from the first source that has it: the picture itself, XMP, Takeout.
   */
  async of(picture: string): Promise<FoundGeotag> {
    const { xmp, takeout } = this.#of.get(picture) ?? {};
    const sources: [GeotagSource, () => Promise<Geotag>][] = [
      ['exif', () => ownGeotag(join(this.directory.path, picture), this.clock)],
    ];
    if (xmp) sources.push(['xmp', async () => xmpGeotag(await this.#text(xmp), this.clock)]);
    if (takeout) sources.push(['takeout', async () => readTakeout(await this.#text(takeout))]);
    let found: FoundGeotag = { placeFrom: 'none', timeFrom: 'file' };
    for (const [source, read] of sources) {
      if (found.coordinates && found.time) break;
      const { coordinates, time } = await read();
      if (!found.coordinates && coordinates) found = { ...found, coordinates, placeFrom: source };
      if (!found.time && time) found = { ...found, time, timeFrom: source };
    }
    return found;
  }

  /** Empty if it cannot be read: a bad sidecar is no reason to skip a picture. */
  async #text(name: string): Promise<string> {
    const raw = this.directory.cut.get(name);
    const folder = `${this.directory.path}/`;
    const path = raw ? Buffer.concat([Buffer.from(folder), raw]) : folder + name;
    const small = await stat(path).then(
      ({ size }) => size <= maxBytes,
      () => false,
    );
    return small ? readFile(path).then(decoded, () => '') : '';
  }
}

/** Programs for Windows begin files with a byte order mark, also in UTF-16. */
function decoded(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  const charset = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  return new TextDecoder(charset).decode(bytes); // without the mark
}

/**
 * Takeout cuts the part of a file name before `.json` to 46 characters or more in some exports, and
 * to as many bytes in others: a name of fewer bytes, less what a character at the end may have lost,
 * is whole.
 */
const leastCutBytes = 43;

/** Characters of which that many bytes consist at least, decomposed. */
const leastCutLength = 14;

const suffix = '.supplemental-metadata';

/** What Google Photos adds to the name of a picture that was edited there, in some languages. */
const edited = new RegExp(
  '-(edited|bearbeitet|modifié|editado|modificato|bewerkt|수정됨|編集済み|已编辑)(?=\\.[^.]+$)'.normalize(
    'NFD',
  ),
);

/** `name(2).jpg` is described by `name.jpg(2).json`. */
const numbered = /^(.*)(\(\d+\))(\.[^.]+)$/;

/** What else an edited copy may have been made from; it is a JPEG itself. */
const originals = ['.heic', '.jpg', '.jpeg', '.png', '.webp', '.dng'];

/** Describes an album or an account, not a picture; in English, as other languages translate it. */
const aboutAlbums =
  /^(metadata|print-subscriptions|shared_album_comments|user-generated-memory-titles)(\(\d+\))?\.json$/i;

/**
 * Names as they are compared: macOS decomposes letters, and Windows ignores case. Decomposed, a name
 * begins with every cut of it, in whichever form it was cut.
 */
const folded = (name: string): string => name.normalize('NFD').toLowerCase();

/** A name without its number, and the number. */
type Numbered = readonly [name: string, number: string];

/** The JSON files of a directory, found by the pictures that they describe. */
export class TakeoutNames {
  /** By what precedes the number, and the number. */
  readonly #names = new Map<string, string>();
  /** Those of them that are long enough to be what is left of a longer name. */
  readonly #cuts = new Map<string, string>();
  /** The names of pictures that each of these may be left of. */
  readonly #longer = new Map<string, Set<string>>();

  constructor(files: readonly string[]) {
    for (const file of files) {
      const [, base = '', number = ''] = /^(.*?)\ufffd*(\(\d+\))?\.json$/s.exec(folded(file)) ?? [];
      if (base === '') continue;
      this.#names.set(base + '\0' + number, file);
      if (Buffer.byteLength(file) - `${number}.json`.length < leastCutBytes) continue;
      this.#cuts.set(base + '\0' + number, file);
    }
    if (this.#cuts.size === 0) return;
    for (const picture of files.filter((name) => !isSidecar(name))) {
      const key = this.#keyOfCut(formsOf(picture));
      if (key === undefined) continue;
      const name = stemOf(folded(picture).replace(edited, ''));
      this.#longer.set(key, (this.#longer.get(key) ?? new Set()).add(name));
    }
  }

  /** The name of the JSON file of a picture, if it has one. */
  of(picture: string): string | undefined {
    const forms = formsOf(picture);
    const stems = forms.names.map(([name, number]) => [stemOf(name), number] as const);
    return (
      this.#first(forms.names, (name) => beginnings(name + suffix, name.length)) ??
      this.#first(forms.others, (name) => beginnings(name + suffix, name.length)) ??
      this.#first(stems, (stem) => [stem]) ??
      this.#cutOf(forms)
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

  /** The file whose name is the beginning of the picture's, unless it is that of others as well. */
  #cutOf(forms: Forms): string | undefined {
    const key = this.#keyOfCut(forms);
    if (key === undefined || (this.#longer.get(key)?.size ?? 0) > 1) return undefined;
    return this.#cuts.get(key);
  }

  #keyOfCut({ names, others }: Forms): string | undefined {
    for (const [name, number] of [...names, ...others]) {
      for (const form of beginnings(name.slice(0, -1), leastCutLength)) {
        const key = form + '\0' + number;
        if (this.#cuts.has(key)) return key;
      }
    }
    return undefined;
  }
}

/** The names of a picture from which that of its JSON file may be made. */
interface Forms {
  /** Its own, and that of the picture that it was edited from. */
  readonly names: readonly Numbered[];
  /** The same picture in other formats. */
  readonly others: readonly Numbered[];
}

function formsOf(picture: string): Forms {
  const own = spellings(folded(picture));
  const unedited = own.flatMap(([name, number]) =>
    edited.test(name) ? spellings(name.replace(edited, ''), number) : [],
  );
  const others = unedited.flatMap(([name, number]) =>
    originals.map((extension) => [stemOf(name) + extension, number] as const),
  );
  return { names: [...own, ...unedited], others };
}

/** A name with its number apart, and as it is. */
function spellings(name: string, number = ''): Numbered[] {
  const [, stem, own, extension = ''] = (number === '' && numbered.exec(name)) || [];
  const whole: Numbered = [name, number];
  if (stem === undefined || own === undefined) return [whole];
  return [[stem + extension, own], [stem + extension + own, ''], whole];
}

const stemOf = (name: string): string => name.replace(/\.[^.]+$/, '');

/** A text and its beginnings of at least that length, the longest first. */
function* beginnings(full: string, shortest: number): Generator<string> {
  for (let length = full.length; length >= shortest; length -= 1) yield full.slice(0, length);
}
