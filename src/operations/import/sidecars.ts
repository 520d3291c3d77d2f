import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { WallClock } from '../../time.js';
import type { FoundDirectory } from './scan-tree.js';
import { ownGeotag } from './own-exif.js';
import type { Geotag } from './own-exif.js';
import { readTakeout, TakeoutNames } from './takeout.js';
import { readXmp } from './xmp.js';

/** A larger file is not a sidecar. */
const maxBytes = 1024 * 1024;

/** The files of a directory that describe its pictures. */
export class Sidecars {
  readonly #takeout: TakeoutNames;
  /** Names in lower case to names. */
  readonly #xmp: ReadonlyMap<string, string>;

  constructor(
    private readonly directory: Pick<FoundDirectory, 'path' | 'files'>,
    private readonly clock: WallClock,
  ) {
    this.#takeout = new TakeoutNames(directory.files);
    this.#xmp = new Map(
      directory.files
        .filter((name) => /\.xmp$/i.test(name))
        .map((name) => [name.toLowerCase(), name]),
    );
  }

  /**
   * Coordinates and time, each from the first source that has it: the picture itself, XMP, Takeout.
   */
  async of(picture: string): Promise<Geotag> {
    let { coordinates, time } = await ownGeotag(join(this.directory.path, picture), this.clock);
    for (const read of [() => this.#ofXmp(picture), () => this.#ofTakeout(picture)]) {
      if (coordinates && time) break;
      const found = await read();
      coordinates ??= found.coordinates;
      time ??= found.time;
    }
    return { coordinates, time };
  }

  async #ofXmp(picture: string): Promise<Geotag> {
    const lower = picture.toLowerCase();
    const names = [`${lower}.xmp`, lower.replace(/\.[^.]+$/, '.xmp')];
    const name = names.map((one) => this.#xmp.get(one)).find((one) => one !== undefined);
    return name === undefined ? {} : readXmp(await this.#text(name), this.clock);
  }

  async #ofTakeout(picture: string): Promise<Geotag> {
    const name = this.#takeout.of(picture);
    return name === undefined ? {} : readTakeout(await this.#text(name));
  }

  /** Empty if it cannot be read: a bad sidecar is no reason to skip a picture. */
  async #text(name: string): Promise<string> {
    const path = join(this.directory.path, name);
    const small = await stat(path).then(
      ({ size }) => size <= maxBytes,
      () => false,
    );
    return small ? readFile(path, 'utf8').catch(() => '') : '';
  }
}
