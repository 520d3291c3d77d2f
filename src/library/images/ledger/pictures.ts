import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { ServiceError } from '../../../base/errors/catalogue.js';
import { withStoreErrors } from '../../../base/os/files.js';
import type { FreeDisk } from '../../../base/os/machine.js';
import { secondMs } from '../../../base/units.js';
import { only, selectList, type SelectedRow } from '../../../database/columns.js';
import { FairSemaphore } from '../../../database/fairness.js';
import { rows, type Queryable } from '../../../database/sql.js';
import { displaySide, type Imaging, type PictureFile } from '../../../imaging/port.js';
import { objectKey } from '../../../store/object-key.js';
import type { ObjectStore } from '../../../store/port.js';
import { imageColumns } from '../entity.js';
import { fetchPicture } from '../full/fetch.js';
import { amongIds } from '../images.sql.js';

const pictureColumns = only(
  imageColumns,
  'id',
  'platformId',
  'userId',
  'versionId',
  'extension',
  'displayExtension',
  'hash',
  'width',
  'height',
);

/** What has to be known of an image to make its picture. */
export type PictureRow = SelectedRow<typeof pictureColumns>;

export const selectPictures = (db: Queryable, ids: readonly string[]): Promise<PictureRow[]> =>
  rows(db, amongIds(selectList(pictureColumns, 'i')), [ids]);

/** A box, or a picture in it; in points, of which an inch has 72. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const [pointsPerInch, dotsPerInch] = [72, 200];
/** The least that can be seen of a picture that is a line. */
const hairline = 0.5;

/** The size of a picture in a box: a pixel takes at most a point, lest one see it. */
export function sizeIn(box: Size, { width, height }: Size): Size {
  const scale = Math.min(box.width / width, box.height / height, 1);
  return {
    width: Math.max(width * scale, hairline),
    height: Math.max(height * scale, hairline),
  };
}

/** Why a ledger does not show a picture. */
export type Absence = 'gone' | 'missing' | 'damaged';

/** Pictures that this process makes at a time, each with its files on disk; and of one owner. */
const makingAtOnce = { total: 8, perCaller: 2, waiting: 64, waitMs: 30 * secondMs };
/** How often a picture is tried that cannot be made now, before its ledger breaks off. */
const maxTries = 6;
const longestPauseMs = 5 * secondMs;

/** What is wrong with a picture rather than with the service. */
const faults = new Set([
  'corrupt_image',
  'unsupported_image',
  'image_too_large',
  'image_too_complex',
]);

interface PictureParts {
  readonly store: Pick<ObjectStore, 'get'>;
  readonly imaging: Pick<Imaging, 'full'>;
  /** Folder for files in progress. */
  readonly incoming: string;
  readonly disk: Pick<FreeDisk, 'assertFree'>;
}

/** Makes pictures for paper: upright JPEGs in sRGB, as many dots as their size needs. */
export class LedgerPictures {
  readonly #turns = new FairSemaphore(makingAtOnce);

  constructor(private readonly parts: PictureParts) {}

  /**
   * Takes turns with the uploads of its user; holds nothing afterwards.
   * @throws ServiceError `unavailable` if it cannot be made for long; what `signal` is aborted with.
   */
  async make(picture: PictureRow, box: Size, signal: AbortSignal): Promise<Buffer | Absence> {
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      try {
        return await this.#makeInTurn(picture, box);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (faults.has(error.code)) return 'damaged';
        if (error.code !== 'unavailable' || tries === maxTries) throw error;
        const pauseMs = (error.retryAfter ?? 1) * secondMs;
        await delay(Math.min(pauseMs, longestPauseMs), undefined, { signal });
      }
    }
  }

  async #makeInTurn(picture: PictureRow, box: Size): Promise<Buffer | Absence> {
    const { userId } = picture;
    await this.#turns.acquire(userId);
    const folder = join(this.parts.incoming, uuidv7());
    try {
      const { width, height } = sizeIn(box, picture);
      const side = Math.ceil((Math.max(width, height) * dotsPerInch) / pointsPerInch);
      const file = await this.#fetch(picture, side, folder);
      if (!file) return 'missing';
      const made = await this.parts.imaging.full(file, userId, side);
      return await withStoreErrors(() => readFile(made.path));
    } finally {
      this.#turns.release(userId);
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** The rendition if that has enough pixels, since it is decoded sooner. */
  async #fetch(
    { id: imageId, extension, displayExtension, hash, ...picture }: PictureRow,
    side: number,
    folder: string,
  ): Promise<PictureFile | undefined> {
    const { store, disk } = this.parts;
    await disk.assertFree();
    const version = { ...picture, imageId };
    if (displayExtension !== null && side <= displaySide) {
      const body = await store.get(objectKey(version, 'display', displayExtension));
      if (body) return fetchPicture(body.stream, folder, disk);
    }
    const body = await store.get(objectKey(version, 'original', extension));
    if (!body) return undefined;
    const file = await fetchPicture(body.stream, folder, disk);
    if (!file.hash.equals(hash)) throw new ServiceError('corrupt_image');
    return file;
  }
}
