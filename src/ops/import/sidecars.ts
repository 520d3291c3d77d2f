import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { WallClock } from '../../base/time.js';
import type { FoundDirectory } from './scan-tree.js';
import { ownGeotag } from './own-exif.js';
import type { Geotag } from './own-exif.js';
import { aboutAlbums, folded, readTakeout, TakeoutNames } from './takeout.js';
import { readXmp } from './xmp.js';

/** A larger file is not a sidecar. */
const maxBytes = 1024 * 1024;

export const isSidecar = (name: string): boolean => /\.(json|xmp)$/i.test(name);

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
  /** The sidecars that describe none of the pictures. */
  readonly unmatched: readonly string[];

  constructor(
    private readonly directory: Pick<FoundDirectory, 'path' | 'files'>,
    private readonly clock: WallClock,
  ) {
    const { files } = directory;
    const takeouts = new TakeoutNames(files);
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
    this.unmatched = files.filter(
      (name) => isSidecar(name) && !used.has(name) && !aboutAlbums.test(name),
    );
  }

  /**
   * Coordinates and time, each from the first source that has it: the picture itself, XMP, Takeout.
   */
  async of(picture: string): Promise<FoundGeotag> {
    const { xmp, takeout } = this.#of.get(picture) ?? {};
    const sources: [GeotagSource, () => Promise<Geotag>][] = [
      ['exif', () => ownGeotag(join(this.directory.path, picture), this.clock)],
    ];
    if (xmp) sources.push(['xmp', async () => readXmp(await this.#text(xmp), this.clock)]);
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
    const path = join(this.directory.path, name);
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
