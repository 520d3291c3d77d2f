import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { WallClock } from '../../time.js';
import type { FoundDirectory } from './walk.js';
import { ownWhereabouts } from './own-exif.js';
import type { Whereabouts } from './own-exif.js';
import { readTakeout, TakeoutNames } from './takeout.js';
import { readXmp } from './xmp.js';

/** Larger ones are something else. */
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

  /** Place and time each from the first that has it: the picture itself, XMP, Takeout. */
  async of(picture: string): Promise<Whereabouts> {
    let { place, time } = await ownWhereabouts(join(this.directory.path, picture), this.clock);
    for (const read of [() => this.#ofXmp(picture), () => this.#ofTakeout(picture)]) {
      if (place && time) break;
      const said = await read();
      place ??= said.place;
      time ??= said.time;
    }
    return { place, time };
  }

  async #ofXmp(picture: string): Promise<Whereabouts> {
    const lower = picture.toLowerCase();
    const names = [`${lower}.xmp`, lower.replace(/\.[^.]+$/, '.xmp')];
    const name = names.map((one) => this.#xmp.get(one)).find((one) => one !== undefined);
    return name === undefined ? {} : readXmp(await this.#text(name), this.clock);
  }

  async #ofTakeout(picture: string): Promise<Whereabouts> {
    const name = this.#takeout.of(picture);
    return name === undefined ? {} : readTakeout(await this.#text(name));
  }

  /** Empty if it cannot be read: a sidecar is no reason to leave a picture out. */
  async #text(name: string): Promise<string> {
    const path = join(this.directory.path, name);
    const small = await stat(path).then(
      ({ size }) => size <= maxBytes,
      () => false,
    );
    return small ? readFile(path, 'utf8').catch(() => '') : '';
  }
}
