import { ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import { secondMs } from '../../base/units.js';
import type { Queryable } from '../../database/sql.js';
import type { PicturePage, VisitorPicture } from './visitor-schemas.js';
import { fullName, objectName } from '../../store/object-key.js';
import type { VisitSecrets } from './visit-secrets.js';
import { type PictureRow, selectInFolder, selectNamed, type VisitedLink } from './visitors.sql.js';

/** Lifetime of a file's address in seconds, and for how long the same file has the same address. */
export const addressSeconds = 300;
const windowSeconds = 60;

/** A file that an address is of. */
export interface AddressedFile {
  /** The key of the object. */
  readonly key: string;
  readonly secondsLeft: number;
  /** The name under which a download is saved, perhaps of another format; undefined for what is shown. */
  readonly name: string | undefined;
}

interface PictureParts {
  readonly db: Queryable;
  readonly secrets: VisitSecrets;
  readonly clock: WallClock;
}

/** The pictures that a link shows. */
export class LinkPictures {
  constructor(private readonly parts: PictureParts) {}

  /** A page of pictures. @throws ServiceError `invalid_cursor`. */
  async page(link: VisitedLink, cursor: string | undefined, limit: number): Promise<PicturePage> {
    const { db, secrets } = this.parts;
    const position = cursor === undefined ? undefined : secrets.open('cursor', link.id, cursor);
    if (cursor !== undefined && position === undefined) throw new ServiceError('invalid_cursor');
    const select = link.folderId === null ? selectNamed : selectInFolder;
    const found = await select(db, link, position, limit + 1);
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return {
      images: shown.map((row) => this.#picture(link, row)),
      next: last ? secrets.seal('cursor', link.id, last.position) : null,
    };
  }

  /** The file that an address is of. @throws ServiceError `forbidden`. */
  file(link: VisitedLink, address: string): AddressedFile {
    const text = this.parts.secrets.open('file', link.id, address);
    const [expiry, path, name] = text?.split('\n') ?? [];
    const secondsLeft = Math.floor(Number(expiry) - Date.now() / secondMs);
    if (path === undefined) throw new ServiceError('forbidden', { message: 'The URL is invalid.' });
    const isOriginal = path.includes('/original.');
    const isAllowed =
      (name === undefined || link.allowDownload) && (!isOriginal || mayGetOriginals(link));
    if (secondsLeft <= 0 || !isAllowed) {
      throw new ServiceError('forbidden', { message: 'The URL has expired.' });
    }
    return { key: `${link.platformId}/${link.userId}/${path}`, secondsLeft, name };
  }

  #picture(link: VisitedLink, row: PictureRow): VisitorPicture {
    const { secrets, clock } = this.parts;
    const address = (name: string, savedAs?: string): string =>
      this.#address(link, `${row.id}/${row.versionId}/${name}`, savedAs);
    const original = objectName('original', row.extension);
    const whole = mayGetOriginals(link) ? original : fullName;
    return {
      id: secrets.hideId(link.id, row.id),
      created_at: clock.format(row.createdAt),
      taken_at: row.takenAt && clock.format(row.takenAt),
      width: row.width,
      height: row.height,
      thumbhash: row.thumbhash.toString('base64'),
      thumb_url: address(`thumb.${row.thumbExtension}`),
      display_url: address(
        row.displayExtension === null ? whole : objectName('display', row.displayExtension),
      ),
      ...(link.allowDownload && { download_url: address(whole, nameOfDownload(row)) }),
      ...(link.showPlace && placeOf(row)),
    };
  }

  /** The address of an object, relative to the page of the link. */
  #address({ id }: VisitedLink, path: string, savedAs?: string): string {
    const second = Math.floor(Date.now() / secondMs);
    const expiry = second - (second % windowSeconds) + addressSeconds;
    const said = [expiry, path, ...(savedAs === undefined ? [] : [savedAs])];
    return `f/${this.parts.secrets.seal('file', id, said.join('\n'))}`;
  }
}

/**
 * Whether the stored bytes may leave. They tell where a picture was made, so that the whole picture is
 * made of them where they may not, for downloads and to show small ones, whose display rendition they
 * are.
 */
export const mayGetOriginals = ({ allowDownload, showPlace }: VisitedLink): boolean =>
  allowDownload && showPlace;

/** The name under which a visitor saves a picture: that of an edit is not known here. */
const nameOfDownload = ({ originalName, filename, version }: PictureRow): string =>
  version === 0 ? (originalName ?? filename) : filename;

const placeOf = (row: PictureRow): Pick<VisitorPicture, 'place'> => ({
  place: {
    latitude: row.lat,
    longitude: row.lng,
    address_road: row.addressRoad,
    address_land: row.addressLand,
    address_land_number: row.addressLandNumber,
    building_name: row.buildingName,
  },
});
