import type { TimeLimited } from '../../../database/sql.js';
import { invalidField, missingField } from '../../../base/errors/catalogue.js';
import type { MaybeBatched } from '../../../http/paging/batches.js';
import {
  selectAtPlace,
  selectPlaces,
  sumAtPlace,
  sumPlaces,
  type Owned,
  type PlaceRow,
} from './group.sql.js';
import { usualWithin, type GroupFields, type PlaceRecord } from './schemas.js';
import { countAll, selectListTotals } from '../list/list.sql.js';
import type { Facing, Near } from '../list/schemas.js';
import { selectNearest } from '../list/near.sql.js';
import type { ListedRow } from '../page.sql.js';
import { withDistance } from '../list/image-lists.js';
import { atPrecision, readCoordinates, type Coordinates } from '../coordinates.js';
import type { ResolveUrl, BatchedImageRecord } from '../record.js';
import type { ImageRecord } from '../schemas.js';
import type { IncludeOptions } from '../record-pages.js';
import type { Images } from '../images.js';
import type { FoundRows, ListSource, Page, Pages } from '../../../http/paging/pages.js';
import { toMegabytes } from '../../../base/units.js';

export interface GroupRequest {
  readonly userId: string;
  readonly fields: GroupFields;
  /** 0-based index of the first item. */
  readonly index: number;
}

/** One page of matches. */
interface GroupPage {
  readonly page: Page<FoundRows<ListedRow>>;
  readonly matches: { readonly total_filesize_mb: number; readonly items: Items };
}

type Items = MaybeBatched<ImageRecord[]> | MaybeBatched<PlaceRecord[]>;

/** Images by where they were taken. */
export class ImageGroups {
  constructor(
    private readonly db: TimeLimited,
    private readonly images: Images,
    private readonly pages: Pages,
  ) {}

  /** Images around a point, images at exactly that point, or the locations themselves. */
  async read(
    wanted: GroupRequest,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<GroupPage> {
    const { userId, fields } = wanted;
    const owned = {
      userId,
      trash: fields.has_delete_at === undefined ? false : fields.has_delete_at,
    };
    const coordinates = readCoordinates(fields) ?? undefined;
    const facing = facingOf(fields, coordinates);
    if (fields.use_radius === true && !coordinates) throw missingField('latitude');
    if (!coordinates) return this.#places(wanted, owned, include, resolveUrl);
    const listing =
      fields.use_radius === true
        ? this.#within(owned, { coordinates, radius: fields.radius, ...(facing && { facing }) })
        : this.#at(owned, atPrecision(coordinates));
    const found = await this.#page(wanted, owned, coordinates, listing);
    const wanting = { include, resolveUrl, shape: withDistance };
    return groupPage(found, await this.images.page(found.found.rows, wanting));
  }

  /** Images within `radius` meters on the ellipsoid that look the right way, nearest first. */
  #within({ userId, trash }: Owned, near: Near): ListSource<ListedRow> {
    const filter = { trash, periods: [], near };
    const count = near.facing ? countAll : selectListTotals;
    return {
      rows: (start, limit) => selectNearest(this.db, userId, filter, start, limit),
      totals: () => count(this.db, userId, filter),
    };
  }

  #at(owned: Owned, coordinates: Coordinates): ListSource<ListedRow> {
    return {
      rows: (start, limit) => selectAtPlace(this.db, owned, coordinates, start, limit),
      totals: () => sumAtPlace(this.db, owned, coordinates),
    };
  }

  async #places(
    wanted: GroupRequest,
    owned: Owned,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<GroupPage> {
    const found = await this.#page<PlaceRow>(wanted, owned, null, {
      rows: (start, limit) => selectPlaces(this.db, owned, start, limit),
      totals: () => sumPlaces(this.db, owned),
    });
    const wanting = { include, resolveUrl, shape: placeRecord };
    return groupPage(found, await this.images.page(found.found.rows, wanting));
  }

  #page<Row extends ListedRow>(
    { fields, index }: GroupRequest,
    { userId, trash }: Owned,
    coordinates: Coordinates | null,
    listing: ListSource<Row>,
  ): Promise<Page<FoundRows<Row>>> {
    const radius = fields.use_radius === true ? fields.radius : null;
    const { direction = null, direction_within: within = null } = fields;
    const list = ['group', userId, trash, coordinates, radius, direction, within];
    const { cursor, page_size: size } = fields;
    return this.pages.ofRows({ list, index, cursor, size }, listing);
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

const groupPage = (page: Page<FoundRows<ListedRow>>, items: Items): GroupPage => ({
  page,
  matches: { total_filesize_mb: toMegabytes(page.totals.bytes), items },
});

const placeRecord = (
  image: BatchedImageRecord,
  { images }: PlaceRow,
): MaybeBatched<PlaceRecord> => ({
  latitude: image.lat ?? 0,
  longitude: image.lng ?? 0,
  address_road: image.address_road,
  address_land: image.address_land,
  building_name: image.building_name,
  count: images,
  latest_created_at: image.created_at,
  image,
});
