import type { Queryable } from '../database/sql.js';
import { missingField } from '../errors/catalogue.js';
import { toMegabytes } from '../http/records.js';
import { selectAt, selectPlaces, selectWithin } from './group-queries.js';
import type { GroupPage } from './group-queries.js';
import type { GroupFields, PlaceRecord } from './group-schemas.js';
import { atPrecision, placeOf } from './place.js';
import type { Place } from './place.js';
import type { Absolute } from './record.js';
import type { ImageRecord } from './schemas.js';
import type { Images, With } from './service.js';

/** A page of what matched. */
interface Group {
  readonly count: number;
  readonly total_count: number;
  readonly total_filesize_mb: number;
  readonly items: ImageRecord[] | PlaceRecord[];
}

/** Images by where they were taken. */
export class ImageGroups {
  constructor(
    private readonly db: Queryable,
    private readonly images: Images,
  ) {}

  /**
   * Images around a point, images of exactly that point, or the places themselves.
   * @throws ServiceError `missing_field` when a coordinate is missing.
   */
  async read(
    userId: string,
    fields: GroupFields & { readonly offset: number },
    extras: With,
    absolute: Absolute,
  ): Promise<Group> {
    const trash = fields.has_delete_at === undefined ? false : fields.has_delete_at;
    const page = { userId, trash, offset: fields.offset, limit: fields.page_size };
    const records = (ids: readonly string[]) => this.images.many(userId, ids, extras, absolute);
    const place = placeOf(fields);
    if (fields.use_radius === true) {
      if (!place) throw missingField('latitude');
      return this.#within(page, place, fields.radius, records);
    }
    return place ? this.#at(page, place, records) : this.#places(page, records);
  }

  async #within(page: GroupPage, place: Place, radius: number, records: Records): Promise<Group> {
    const { total, bytes, ids, distances } = await selectWithin(this.db, page, place, radius);
    const distance = new Map(ids.map((id, i) => [id, toMillimetres(distances[i])]));
    const items = (await records(ids)).map((image) => ({
      ...image,
      distance_m: distance.get(image.id),
    }));
    return group(total, bytes, items);
  }

  async #at(page: GroupPage, place: Place, records: Records): Promise<Group> {
    const { total, bytes, ids } = await selectAt(this.db, page, atPrecision(place));
    return group(total, bytes, await records(ids));
  }

  async #places(page: GroupPage, records: Records): Promise<Group> {
    const places = await selectPlaces(this.db, page);
    const counts = new Map(places.map(({ newestId, images }) => [newestId ?? '', images ?? 0]));
    counts.delete('');
    const newest = await records([...counts.keys()]);
    const items = newest.map((image) => placeRecord(image, counts.get(image.id) ?? 0));
    return group(places[0]?.total ?? 0, places[0]?.bytes ?? 0, items);
  }
}

type Records = (ids: readonly string[]) => Promise<ImageRecord[]>;

const group = (total: number, bytes: number, items: Group['items']): Group => ({
  count: items.length,
  total_count: total,
  total_filesize_mb: toMegabytes(bytes),
  items,
});

const placeRecord = (image: ImageRecord, count: number): PlaceRecord => ({
  latitude: image.lat ?? 0,
  longitude: image.lng ?? 0,
  address_road: image.address_road,
  address_land: image.address_land,
  building_name: image.building_name,
  count,
  latest_created_at: image.created_at,
  image,
});

const toMillimetres = (metres = 0): number => Math.round(metres * 1000) / 1000;
