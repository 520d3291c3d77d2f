import { signal } from '@preact/signals';
import { dayOfStamp, shiftDay } from '../../core/days';
import { pageSize } from './grid/layout';
import type { DayStart, Extent, Facts } from './grid/layout';
import { dayOf, maxPageSize } from './listing';
import type { ImageItem, Listing, Slice } from './listing';

/** Pages that are kept in memory: earlier ones are read again when needed. */
const kept = 40;
/** How long a page must be visible before it is requested, so that quick scrolling skips it. */
const restMs = 80;
/** URLs of a younger page have not expired: a picture that fails to load has another reason. */
const youngMs = 30_000;

interface Page {
  readonly items: readonly ImageItem[];
  readonly readAt: number;
  readonly round: number;
}

/** The visible part of a listing, and recently visible parts. */
export class Pages implements Facts {
  /** Changes with any state of this object, so that components which read it are redrawn. */
  readonly version = signal(0);
  /** Undefined until anything has been read. */
  slice: Omit<Slice, 'items'> | undefined;
  problem: unknown;
  readonly #pages = new Map<number, Page>();
  /** Of all pages that have been read: what is laid out stays where it is. */
  readonly #days = new Map<number, readonly DayStart[]>();
  readonly #extents = new Map<string, Extent | undefined>();
  readonly #waiting = new Map<number, ReturnType<typeof setTimeout>>();
  readonly #reading = new Map<number, AbortController>();
  #seen: readonly number[] = [];
  #round = 0;

  constructor(readonly listing: Listing) {}

  get total(): number {
    return this.slice?.total ?? 0;
  }

  at(index: number): ImageItem | undefined {
    return this.#pages.get(Math.floor(index / pageSize))?.items[index % pageSize];
  }

  days(page: number): readonly DayStart[] | undefined {
    return this.#days.get(page);
  }

  extent(day: string): Extent | undefined {
    return this.#extents.get(day);
  }

  /** Asks where a day begins and how many images it has, if the list knows. */
  wantExtent(day: string): void {
    const { countIn } = this.listing;
    if (!countIn || this.#extents.has(day)) return;
    this.#extents.set(day, undefined);
    const from = dayOfStamp(day);
    const found = Promise.all([countIn({ from: shiftDay(from, 1) }), countIn({ from, to: from })]);
    found.then(
      ([begin, count]) => {
        this.#extents.set(day, { start: begin, count });
        this.#notify();
      },
      // Its images are still shown, and say how many there are once they have been read.
      () => undefined,
    );
  }

  /** Sets the visible range, from `first` to before `end`; only that is read. */
  see(first: number, end: number): void {
    const last = Math.max(first, end - 1);
    this.#seen = range(Math.floor(first / pageSize), Math.floor(last / pageSize));
    for (const [page, timer] of this.#waiting) {
      if (this.#seen.includes(page)) continue;
      clearTimeout(timer);
      this.#waiting.delete(page);
    }
    for (const [page, stop] of this.#reading) {
      if (!this.#seen.includes(page)) stop.abort();
    }
    this.#seen.forEach((page) => this.#want(page));
  }

  /** Reads the visible part again; the present items stay until then. */
  refresh(): void {
    this.#round += 1;
    this.problem = undefined;
    this.#extents.clear();
    this.#reading.forEach((stop) => stop.abort());
    this.#seen.forEach((page) => this.#want(page));
    this.#notify();
  }

  /** Reads the page of an item again whose picture failed to load: its URL may have expired. */
  renew(index: number): void {
    const page = Math.floor(index / pageSize);
    const found = this.#pages.get(page);
    if (!found || Date.now() - found.readAt < youngMs) return;
    this.#pages.set(page, { ...found, round: -1 });
    this.#want(page);
  }

  /** Stops all requests. */
  stop(): void {
    this.#waiting.forEach((timer) => clearTimeout(timer));
    this.#waiting.clear();
    this.#reading.forEach((stop) => stop.abort());
    this.#seen = [];
  }

  /** Items from `first` to `last`, including ones that were never visible. */
  async items(first: number, last: number): Promise<ImageItem[]> {
    const here = range(first, last).map((index) => this.at(index));
    if (here.every((item) => item !== undefined)) return here;
    const read: ImageItem[] = [];
    for (let start = first; start <= last; start += maxPageSize) {
      const count = Math.min(maxPageSize, last - start + 1);
      read.push(...(await this.listing.read(start, count)).items);
    }
    return read;
  }

  #want(page: number): void {
    const isFresh = this.#pages.get(page)?.round === this.#round;
    if (isFresh || this.#waiting.has(page) || this.problem !== undefined) return;
    const reading = this.#reading.get(page);
    if (reading && !reading.signal.aborted) return;
    const start = (): void => {
      this.#waiting.delete(page);
      void this.#read(page);
    };
    this.#waiting.set(page, setTimeout(start, this.slice ? restMs : 0));
  }

  async #read(page: number): Promise<void> {
    const stop = new AbortController();
    const round = this.#round;
    this.#reading.set(page, stop);
    try {
      const slice = await this.listing.read(page * pageSize, pageSize, stop.signal);
      const { items, ...rest } = slice;
      if (rest.total !== this.total) this.#days.clear();
      this.slice = rest;
      this.#days.set(page, daysIn(items, page * pageSize));
      this.#pages.delete(page);
      this.#pages.set(page, { items, readAt: Date.now(), round });
      this.#forget();
    } catch (problem) {
      if (!stop.signal.aborted) this.problem = problem;
    } finally {
      if (this.#reading.get(page) === stop) this.#reading.delete(page);
      this.#notify();
    }
  }

  /** Evicts the pages that were read the longest ago. */
  #forget(): void {
    for (const page of this.#pages.keys()) {
      if (this.#pages.size <= kept) return;
      if (!this.#seen.includes(page)) this.#pages.delete(page);
    }
  }

  #notify(): void {
    this.version.value += 1;
  }
}

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

function daysIn(items: readonly ImageItem[], first: number): DayStart[] {
  const days: DayStart[] = [];
  for (const [n, { data }] of items.entries()) {
    const day = dayOf(data);
    if (day !== days.at(-1)?.day) days.push({ day, index: first + n });
  }
  return days;
}
