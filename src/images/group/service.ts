import type { Queryable } from '../../database/sql.js';
import { missingField } from '../../errors/catalogue.js';
import type { InBatches } from '../../paging/batches.js';
import { selectAt, selectPlaces, sumAt, sumPlaces } from './queries.js';
import type { Owned, PlaceRow } from './queries.js';
import type { GroupFields, PlaceRecord } from './schemas.js';
import { selectNearest, selectTotals } from '../list/queries.js';
import type { ListedRow } from '../page-queries.js';
import { withDistance } from '../list/service.js';
import { atPrecision, placeOf } from '../place.js';
import type { Place } from '../place.js';
import type { Absolute, ImageAnswer } from '../record.js';
import type { ImageRecord } from '../schemas.js';
import type { With } from '../extras.js';
import type { Images } from '../service.js';
import type { Listing, PageFound, Walks } from '../../paging/page-cursors.js';
import { toMegabytes } from '../../units.js';

export interface GroupWanted {
  readonly userId: string;
  readonly fields: GroupFields;
  /** `jti` of the caller's token. */
  readonly token: string;
  /** 0-based index of the first item. */
  readonly index: number;
}

/** One page of matches. */
interface Group {
  readonly count: number;
  readonly total_count: number;
  readonly total_filesize_mb: number;
  readonly items: Items;
}

type Items = InBatches<ImageRecord[]> | InBatches<PlaceRecord[]>;

/** Images by where they were taken. */
export class ImageGroups {
  constructor(
    private readonly db: Queryable,
    private readonly images: Images,
    private readonly walks: Walks,
  ) {}

  /**
   * Images around a point, images at exactly that point, or the locations themselves.
   * @throws ServiceError `missing_field` when a coordinate is missing.
   */
  async read(wanted: GroupWanted, extras: With, absolute: Absolute): Promise<Group> {
    const { userId, fields } = wanted;
    const owned = {
      userId,
      trash: fields.has_delete_at === undefined ? false : fields.has_delete_at,
    };
    const place = placeOf(fields) ?? undefined;
    if (fields.use_radius === true && !place) throw missingField('latitude');
    if (!place) return this.#places(wanted, owned, extras, absolute);
    const listing =
      fields.use_radius === true
        ? this.#within(owned, place, fields.radius)
        : this.#at(owned, atPrecision(place));
    const found = await this.#page(wanted, owned, place, listing);
    const wanting = { extras, absolute, shape: withDistance };
    return group(found, await this.images.page(found.rows, wanting));
  }

  /** Images within `radius` meters on the ellipsoid, nearest first. */
  #within({ userId, trash }: Owned, place: Place, radius: number): Listing<ListedRow> {
    const filter = { trash, periods: [], near: { place, radius } };
    return {
      rows: (start, limit) => selectNearest(this.db, userId, filter, start, limit),
      totals: async (remembered) => remembered ?? selectTotals(this.db, userId, filter),
    };
  }

  #at(owned: Owned, place: Place): Listing<ListedRow> {
    return {
      rows: (start, limit) => selectAt(this.db, owned, place, start, limit),
      totals: () => sumAt(this.db, owned, place),
    };
  }

  async #places(
    wanted: GroupWanted,
    owned: Owned,
    extras: With,
    absolute: Absolute,
  ): Promise<Group> {
    const found = await this.#page<PlaceRow>(wanted, owned, null, {
      rows: (start, limit) => selectPlaces(this.db, owned, start, limit),
      totals: async (remembered) => remembered ?? sumPlaces(this.db, owned),
    });
    const wanting = { extras, absolute, shape: placeRecord };
    return group(found, await this.images.page(found.rows, wanting));
  }

  #page<Row extends ListedRow>(
    { token, fields, index }: GroupWanted,
    { trash }: Owned,
    place: Place | null,
    listing: Listing<Row>,
  ): Promise<PageFound<Row>> {
    const radius = fields.use_radius === true ? fields.radius : null;
    const list = ['group', trash, place, radius];
    return this.walks.page({ token, list, index, size: fields.page_size }, listing);
  }
}

const group = ({ rows, totals }: PageFound<ListedRow>, items: Items): Group => ({
  count: rows.length,
  total_count: totals.items,
  total_filesize_mb: toMegabytes(totals.bytes),
  items,
});

const placeRecord = (image: ImageAnswer, { images }: PlaceRow): InBatches<PlaceRecord> => ({
  latitude: image.lat ?? 0,
  longitude: image.lng ?? 0,
  address_road: image.address_road,
  address_land: image.address_land,
  building_name: image.building_name,
  count: images,
  latest_created_at: image.created_at,
  image,
});
