import type { TimeLimited } from '../../../database/sql.js';
import { invalidField, missingField } from '../../../base/errors/catalogue.js';
import type { RawJson } from '../../../http/paging/batches.js';
import { selectAtPlace, selectPlaces, sumAtPlace, sumPlaces } from './group.sql.js';
import { placeAddress, usualWithin, type GroupFields, type PlaceRecord } from './schemas.js';
import { countAll, selectListTotals } from '../list/list.sql.js';
import type { Facing } from '../list/schemas.js';
import { selectNearest, withDistances } from '../list/near.sql.js';
import type { PageRange, RecordPage } from '../page.sql.js';
import { atPrecision, readCoordinates, type Coordinates } from '../coordinates.js';
import { arrayOf, type Frame, type ResolveUrl } from '../record.js';
import type { ReadImage } from '../record-fields.js';
import type { ImageRecord } from '../schemas.js';
import type { IncludeOptions } from '../record-fields.js';
import type { Images } from '../images.js';
import type { ListTotals, Page, Pages } from '../../../http/paging/pages.js';
import { toMegabytes } from '../../../base/units.js';

export interface GroupRequest {
  readonly userId: string;
  readonly fields: GroupFields;
  /** 0-based index of the first item. */
  readonly index: number;
}

/** One page of matches. */
interface GroupPage {
  readonly page: Page<RecordPage>;
  readonly matches: { readonly total_filesize_mb: number; readonly items: Items };
}

type Items = RawJson<ImageRecord[]> | RawJson<PlaceRecord[]>;

/** Where images are listed from; without coordinates, the locations are. */
interface Where {
  readonly coordinates: Coordinates | undefined;
  readonly radius: number | null;
  readonly facing: Facing | undefined;
}

/** A list of images or locations. */
interface Listing {
  readonly find: (range: PageRange) => Promise<RecordPage>;
  readonly totals: () => Promise<ListTotals>;
  readonly frame: () => Frame;
}

/** Images by where they were taken. */
export class ImageGroups {
  constructor(
    private readonly db: TimeLimited,
    private readonly images: Images,
    private readonly pages: Pages,
  ) {}

  /** Images around a point, images at exactly that point, or the locations themselves. */
  async read(
    { userId, fields, index }: GroupRequest,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<GroupPage> {
    const { has_delete_at: trash = false, cursor, page_size: size } = fields;
    const coordinates = readCoordinates(fields) ?? undefined;
    const facing = facingOf(fields, coordinates);
    if (fields.use_radius === true && !coordinates) throw missingField('latitude');
    const radius = fields.use_radius === true ? fields.radius : null;
    const { direction = null, direction_within: within = null } = fields;
    const list = ['group', userId, trash, coordinates ?? null, radius, direction, within];
    const { find, totals, frame } = this.#listing(userId, trash, { coordinates, radius, facing });
    const page = await this.pages.of(
      { list, index, cursor, size },
      { find: (start) => find({ start, size, include }), totals },
    );
    const items: Items = this.images.list<never>(page.found, resolveUrl, frame());
    return { page, matches: { total_filesize_mb: toMegabytes(page.totals.bytes), items } };
  }

  #listing(userId: string, trash: boolean | null, { coordinates, radius, facing }: Where): Listing {
    const { db } = this;
    const owned = { userId, trash };
    if (!coordinates) {
      return {
        find: (range) => selectPlaces(db, owned, range),
        totals: () => sumPlaces(db, owned),
        frame: () => arrayOf(place, () => '}}'),
      };
    }
    if (radius === null) {
      const at = atPrecision(coordinates);
      return {
        find: (range) => selectAtPlace(db, owned, at, range),
        totals: () => sumAtPlace(db, owned, at),
        frame: arrayOf,
      };
    }
    // Nearest first, and looking the right way.
    const near = { coordinates, radius, ...(facing && { facing }) };
    const filter = { trash, periods: [], near };
    return {
      find: (range) => selectNearest(db, userId, filter, range),
      totals: () => (facing ? countAll : selectListTotals)(db, userId, filter),
      frame: withDistances,
    };
  }
}

/** @throws ServiceError `invalid_field` for fields that would mean nothing. */
function facingOf(
  { use_radius, direction, direction_within: within }: GroupFields,
  coordinates: Coordinates | undefined,
): Facing | undefined {
  if (within !== undefined && direction === undefined) {
    throw invalidField('direction_within', 'sent together with direction, or left out');
  }
  if (direction === undefined) return undefined;
  if (use_radius !== true || !coordinates) {
    const field = within === undefined ? 'direction' : 'direction_within';
    throw invalidField(field, 'sent with use_radius True, latitude, and longitude, or left out');
  }
  return { direction: direction % 360, within: within ?? usualWithin };
}

/** A location up to its newest image. */
const place = (image: ReadImage, images: string): string =>
  `{${[
    ['latitude', image.field('lat')],
    ['longitude', image.field('lng')],
    ...placeAddress.keyof().options.map((name) => [name, image.field(name)]),
    ['count', images],
    ['latest_created_at', image.field('created_at')],
    ['image', ''],
  ]
    .map(([name, json]) => `"${name}":${json}`)
    .join(',')}`;
