import { ServiceError } from '../../../base/errors/catalogue.js';
import { toMegabytes } from '../../../base/units.js';
import type { TimeLimited } from '../../../database/sql.js';
import type { MaybeBatched } from '../../../http/paging/batches.js';
import {
  indexedFields,
  type ListTotals,
  type Page,
  type Pages,
} from '../../../http/paging/pages.js';
import { assertFolderExists } from '../../tree/tree.js';
import { folderOfSet } from '../../upload-sets/upload-sets.js';
import { type AddressList, type AddressQuery, addressesOf } from '../addresses.js';
import { choicesOf, type Choices } from '../choices.js';
import { totalsInFolder } from '../folder-images.js';
import { timeIn, type PageRange, type RecordPage } from '../page.sql.js';
import { arrayOf, runsOf, type Frame, type ResolveUrl } from '../record.js';
import type { IncludeOptions } from '../record-fields.js';
import type { Images } from '../images.js';
import { sumKept, type KeptStates } from '../totals.sql.js';
import type { Filter, ImageDay, ImageDays, ImageList } from './schemas.js';
import { hasSought, isNarrow } from './conditions.sql.js';
import { selectListTotals, selectNewest } from './list.sql.js';
import { selectNearest, withDistances } from './near.sql.js';
import { SearchPage } from './search-pages.js';
import { selectWholePage, type WholeList } from './whole.sql.js';

export interface ListRequest {
  readonly userId: string;
  readonly filter: Filter;
  /** What `listIdentity` returns. */
  readonly list: unknown;
  /** 0-based index of the first image. */
  readonly index: number;
  readonly cursor?: string | undefined;
  readonly size: number;
}

/** Pages of a user's images. */
export class ImageLists {
  constructor(
    private readonly db: TimeLimited & { readonly replicated: boolean },
    private readonly images: Images,
    private readonly pages: Pages,
  ) {}

  /** What filters can name, as far as the newest images tell. */
  choices(userId: string): Promise<Choices> {
    return choicesOf(this.db, userId);
  }

  /** Where words are in addresses. */
  addresses(userId: string, wanted: AddressQuery): Promise<AddressList> {
    return addressesOf(this.db, userId, wanted);
  }

  /**
   * Verifies that what a filter names is there.
   * @throws ServiceError `folder_not_found`, `upload_set_not_found`.
   */
  async verify(userId: string, { folder, uploadSetId }: Filter): Promise<void> {
    if (folder && folder.id !== null) {
      await assertFolderExists(this.db, { kind: 'users', id: userId }, folder.id);
    }
    if (uploadSetId !== undefined) await folderOfSet(this.db, userId, uploadSetId, undefined);
  }

  async page(
    wanted: ListRequest,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<MaybeBatched<ImageList>> {
    const page = await this.#page(wanted, include);
    const frame = wanted.filter.near ? withDistances() : arrayOf();
    return { ...pageFields(page), items: this.images.list(page.found, resolveUrl, frame) };
  }

  /** The same page with its images grouped by day. */
  async days(
    wanted: ListRequest,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<MaybeBatched<ImageDays>> {
    const page = await this.#page(wanted, include);
    const items = this.images.list<ImageDay>(page.found, resolveUrl, byDay(wanted.filter));
    return { ...pageFields(page), total_images: page.totals.items, items };
  }

  #page(wanted: ListRequest, include: IncludeOptions): Promise<Page<RecordPage>> {
    const { userId, filter, list, size, ...at } = wanted;
    const { find, totals } = this.#source(userId, filter);
    return this.pages.of(
      { list: ['images', userId, list], size, ...at },
      { find: (start) => find({ start, size, include }), totals },
    );
  }

  /** How pages are found, and their totals, unless these come with the pages. */
  #source(userId: string, filter: Filter) {
    const { db } = this;
    const { near } = filter;
    const totals = (): Promise<ListTotals> => this.#totals(userId, filter);
    if (near) {
      const nearest = { ...filter, near };
      return { find: (range: PageRange) => selectNearest(db, userId, nearest, range), totals };
    }
    if (hasSought(filter)) {
      const search = new SearchPage(db, userId, filter);
      return { find: (range: PageRange) => search.find(range), totals: () => search.totals() };
    }
    const whole = isNarrow(filter) || db.replicated ? undefined : wholeOf(filter);
    if (!whole)
      return { find: (range: PageRange) => selectNewest(db, userId, filter, range), totals };
    return {
      find: async (range: PageRange) => ofUser(await selectWholePage(db, userId, whole, range)),
    };
  }

  /** Totals come from counters where they are kept; otherwise the matches must be counted. */
  async #totals(userId: string, filter: Filter): Promise<ListTotals> {
    if (takesAll(filter)) return this.images.totals(userId, filter.trash);
    const kept = keptStates(filter);
    if (kept) return sumKept(this.db, userId, kept);
    const folder = wholeFolder(filter);
    if (folder) return totalsInFolder(this.db, { userId, ...folder }, folder.below);
    return selectListTotals(this.db, userId, filter);
  }
}

/** The fields of a page besides its images. */
const pageFields = (page: Page<{ count: number }>) => ({
  ...indexedFields(page),
  total_filesize_mb: toMegabytes(page.totals.bytes),
  ...(page.totals.exact === false && { total_is_exact: false as const }),
});

/**
 * The states for which totals are kept and which a filter covers exactly; undefined if its matches
 * have to be counted.
 */
export function keptStates(filter: Filter): KeptStates | undefined {
  const { trash, det, located, near, folder, ...others } = filter;
  const topLevel = folder?.id === null;
  if (isNarrow({ trash, ...others }) || (folder && !topLevel)) return undefined;
  if (near && (near.radius !== undefined || near.facing || located === false)) return undefined;
  const place = near ? true : located;
  return {
    trash,
    ...(det !== undefined && { det }),
    ...(place !== undefined && { located: place }),
    ...(topLevel && { topLevel }),
  };
}

/** The folder of a filter that includes all of it, with or without what is below. */
function wholeFolder({ trash, folder, ...others }: Filter) {
  if (!folder || others.near || isNarrow({ trash, ...others })) return undefined;
  return { trash, folderId: folder.id, below: folder.below };
}

/** Every user has totals. */
function ofUser(page: RecordPage): RecordPage {
  if (!page.totals) throw new ServiceError('user_not_found');
  return page;
}

/**
 * Whether a filter covers all images, or all in or out of the trash: the sets for which counts are
 * kept.
 */
const takesAll = (filter: Filter): boolean => !filter.near && !isNarrow(filter);

/** Few ask for the oldest first: these pages are not worth statements of their own. */
const wholeOf = ({ trash, sortBy = 'created_at' }: Filter): WholeList | undefined =>
  sortBy === 'created_at' || sortBy === 'taken_at' ? { trash, sortBy } : undefined;

/** A frame of days, each with its images. */
const byDay = ({ sortBy = 'created_at' }: Filter): Frame =>
  runsOf(
    (image) => {
      const time = image.field(timeIn(sortBy));
      return (time === 'null' ? image.field('created_at') : time).slice(1, 9);
    },
    (date) => `{"date":${date},"images":[`,
    (count) => `],"count":${count}}`,
  );
