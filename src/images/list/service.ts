import type { TimeLimited } from '../../database/time-limit.js';
import type { MaybeBatched } from '../../paging/batches.js';
import type { Filter } from './filter.js';
import { selectNearest, selectNewest, selectListTotals } from './queries.js';
import type { ListedRow } from '../page-queries.js';
import { selectStart } from './range-queries.js';
import type { ImageDays, ImageList } from './schemas.js';
import type { IncludeOptions } from '../includes.js';
import { dayOf } from '../record.js';
import type { ResolveUrl, BatchedImageRecord } from '../record.js';
import { groupConsecutive } from './group-consecutive.js';
import { SearchPage } from './search-pages.js';
import type { Images } from '../service.js';
import type { ListSource, PagePosition, PageCursors } from '../../paging/page-cursors.js';
import { exactness } from '../../paging/totals.js';
import type { ListTotals } from '../../paging/totals.js';
import { toMegabytes } from '../../units.js';

export interface ListRequest {
  readonly userId: string;
  readonly filter: Filter;
  /** `jti` of the caller's token. */
  readonly token: string;
  /** JSON that identifies the list: the same as for the previous page of the same list. */
  readonly list: unknown;
  /** 0-based index of the first image. */
  readonly index: number;
  readonly size: number;
}

/** Pages of a user's images. */
export class ImageLists {
  constructor(
    private readonly db: TimeLimited,
    private readonly images: Images,
    private readonly cursors: PageCursors,
  ) {}

  async page(
    wanted: ListRequest,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<MaybeBatched<ImageList>> {
    return (await this.#page(wanted, include, resolveUrl)).page;
  }

  async #page(wanted: ListRequest, include: IncludeOptions, resolveUrl: ResolveUrl) {
    const { userId, filter } = wanted;
    const { rows, totals, next } = await this.cursors.page(wanted, this.#source(userId, filter));
    const items = await this.images.page(rows, { include, resolveUrl, shape: withDistance });
    const page = {
      count: rows.length,
      total_count: totals.items,
      last_index: next,
      page_size: wanted.size,
      total_filesize_mb: toMegabytes(totals.bytes),
      ...exactness(totals),
      items,
    };
    return { rows, items, page };
  }

  /** The same page with its images grouped by day of creation. */
  async days(
    wanted: ListRequest,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<MaybeBatched<ImageDays>> {
    const { rows, items, page } = await this.#page(wanted, include, resolveUrl);
    const days = groupConsecutive(rows, items, {
      ofRow: (row) => this.images.dayOf(row),
      ofItem: (image) => dayOf(image.created_at),
      run: (date, count, images) => ({ date, count, images }),
    });
    return { ...page, total_images: page.total_count, items: days };
  }

  #source(userId: string, filter: Filter): ListSource<ListedRow> {
    const { search, near } = filter;
    if (search && !near) return new SearchPage(this.db, userId, { ...filter, search });
    return {
      rows: (start, limit) => this.#rows(userId, filter, start, limit),
      totals: (remembered) => this.#totals(userId, filter, remembered),
    };
  }

  async #rows(
    userId: string,
    filter: Filter,
    start: PagePosition,
    limit: number,
  ): Promise<ListedRow[]> {
    const { near, trash } = filter;
    if (near) return selectNearest(this.db, userId, { ...filter, near }, start, limit);
    const jump = !start.after && start.offset > 0 && takesAll(filter);
    const from = jump ? await selectStart(this.db, { userId, trash, index: start.offset }) : start;
    return selectNewest(this.db, userId, filter, from, limit);
  }

  /**
   * The total number of images comes from counters; the number of matches must be counted, once per
   * paging sequence.
   */
  async #totals(
    userId: string,
    filter: Filter,
    remembered: ListTotals | undefined,
  ): Promise<ListTotals> {
    if (takesAll(filter)) return this.images.totals(userId, filter.trash);
    return remembered ?? selectListTotals(this.db, userId, filter);
  }
}

/**
 * Whether a filter covers all images, or all in or out of the trash: the sets for which counts are
 * kept.
 */
const takesAll = ({ det, search, periods, near }: Filter): boolean =>
  det === undefined && !search && periods.length === 0 && !near;

/** With the distance, in lists sorted by it. */
export const withDistance = (
  record: BatchedImageRecord,
  { distance }: { readonly distance?: number },
): BatchedImageRecord =>
  distance === undefined ? record : { ...record, distance_m: Math.round(distance * 1000) / 1000 };
