import type { Queryable } from '../database/sql.js';
import { toMegabytes } from '../http/records.js';
import type { Filter } from './list-query.js';
import { selectNearest, selectNewest, selectTotals } from './list-queries.js';
import type { ListedRow } from './list-queries.js';
import { selectStart } from './range-queries.js';
import type { ImageDay, ImageDays, ImageList } from './list-schemas.js';
import type { Absolute } from './record.js';
import type { ImageRecord } from './schemas.js';
import type { Images, With } from './service.js';
import type { Start, Walks } from './walks.js';
import type { Totals } from './walk-queries.js';

export interface ListWanted {
  readonly userId: string;
  readonly filter: Filter;
  /** `jti` of the caller's token. */
  readonly token: string;
  /** What makes this the same list as that of the page before; JSON. */
  readonly list: unknown;
  /** 0-based index of the first image. */
  readonly index: number;
  readonly size: number;
}

/** Pages of a user's images. */
export class ImageLists {
  constructor(
    private readonly db: Queryable,
    private readonly images: Images,
    private readonly walks: Walks,
  ) {}

  async page(wanted: ListWanted, extras: With, absolute: Absolute): Promise<ImageList> {
    const { userId, filter } = wanted;
    const { rows, totals, next } = await this.walks.page(wanted, {
      rows: (start, limit) => this.#rows(userId, filter, start, limit),
      totals: (remembered) => this.#totals(userId, filter, remembered),
    });
    const records = await this.images.recordsOf(rows, extras, absolute);
    return {
      count: rows.length,
      total_count: totals.items,
      last_index: next,
      page_size: wanted.size,
      total_filesize_mb: toMegabytes(totals.bytes),
      items: records.map((record, i) => withDistance(record, rows[i]?.distance)),
    };
  }

  /** The same page with its images under the days on which they were made. */
  async days(wanted: ListWanted, extras: With, absolute: Absolute): Promise<ImageDays> {
    const { items, ...page } = await this.page(wanted, extras, absolute);
    return { ...page, total_images: page.total_count, items: byDay(items) };
  }

  async #rows(userId: string, filter: Filter, start: Start, limit: number): Promise<ListedRow[]> {
    const { near, trash } = filter;
    if (near) return selectNearest(this.db, userId, { ...filter, near }, start, limit);
    const jump = !start.after && start.offset > 0 && takesAll(filter);
    const from = jump ? await selectStart(this.db, { userId, trash, index: start.offset }) : start;
    return selectNewest(this.db, userId, filter, from, limit);
  }

  /** Counters say how many images there are; how many match has to be counted, once in a walk. */
  async #totals(userId: string, filter: Filter, remembered: Totals | undefined): Promise<Totals> {
    if (takesAll(filter)) return this.images.totals(userId, filter.trash);
    return remembered ?? selectTotals(this.db, userId, filter);
  }
}

/** Whether a filter takes in all images, or all in the trash or out of it: those that are kept counts of. */
const takesAll = ({ det, search, periods, near }: Filter): boolean =>
  det === undefined && !search && periods.length === 0 && !near;

export const withDistance = (record: ImageRecord, metres: number | undefined): ImageRecord =>
  metres === undefined ? record : { ...record, distance_m: Math.round(metres * 1000) / 1000 };

function byDay(images: readonly ImageRecord[]): ImageDay[] {
  const days = new Map<number, ImageRecord[]>();
  for (const image of images) {
    const date = Number(image.created_at.slice(0, 8));
    const day = days.get(date);
    if (day) day.push(image);
    else days.set(date, [image]);
  }
  return [...days].map(([date, day]) => ({ date, count: day.length, images: day }));
}
