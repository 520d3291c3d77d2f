import { signal } from '@preact/signals';
import { Buckets, partOf, partSize } from './buckets';
import type { Bucket, Spot, Window } from './buckets';
import { ratioOf } from './listing';
import type { Image, Page, Part, Source } from './listing';

/** An image of the list, and its day. */
export interface Listed {
  readonly id: string;
  readonly date: number;
}

interface Reading {
  readonly stop: AbortController;
  readonly first: number;
  readonly end: number;
}

/** Images that are kept in memory: others are read again when needed. */
const kept = 4_000;
/** How long something must be in view before it is requested, so that quick scrolling skips it. */
const restMs = 80;
/** URLs that are younger have not expired: a picture that fails to load has another reason. */
const youngMs = 30_000;

/**
 * The images of a list: its exact days, and the records of those in view. What acts on images holds their
 * ids; an index is where an image lies at the moment.
 */
export class Images {
  /** Changes with any state of this object, so that components which read it are redrawn. */
  readonly version = signal(0);
  /** Changes when it becomes known that images are wider or narrower than they were taken to be. */
  shapes = 0;
  /** How wide images are as a part of their height, on the average of those that were read first. */
  usualRatio = 4 / 3;
  /** Undefined until the list has been read. */
  buckets: Buckets | undefined;
  /** Of all images, as of when that was last asked. */
  megabytes = 0;
  /** Whether records are read with their memos. */
  hasMemos = false;
  problem: unknown;
  #slots: (Image | undefined)[] = [];
  /** Of all images that have ever been read: they stay where they are when they are forgotten. */
  #ratios: (number | undefined)[] = [];
  readonly #places = new Map<string, number>();
  /** Parts of days whose records are those of the list, and when they were read, the latest last. */
  readonly #fresh = new Map<string, number>();
  readonly #cursors = new Map<string, string>();
  readonly #reading = new Map<string, Reading>();
  #tag: string | undefined;
  #seen: readonly [first: number, end: number] = [0, 0];
  #resting: ReturnType<typeof setTimeout> | undefined;
  #loading: AbortController | undefined;
  #weighing: AbortController | undefined;
  #isWeighed = true;
  /** Whether the days may differ from what is known of them, and which images have changed; undefined: any. */
  #isBehind = true;
  #changed: readonly string[] | undefined = [];
  /** Images that are known to have left the list lately. */
  #gone: ReadonlySet<string> = new Set();

  constructor(
    readonly source: Source,
    /** Is called when it turns out that something has changed of which nobody has told. */
    private readonly onNews: () => void = () => undefined,
  ) {}

  /** Whether it is in view; otherwise it is read again when it is. */
  get isSeen(): boolean {
    return this.#seen[1] > 0;
  }

  get total(): number {
    return this.buckets?.total ?? 0;
  }

  at(index: number): Image | undefined {
    return this.#slots[index];
  }

  /** How wide an image is, as a part of its height. */
  ratioAt(index: number): number {
    return this.#ratios[index] ?? this.usualRatio;
  }

  get(id: string | undefined): Image | undefined {
    const index = id === undefined ? undefined : this.#places.get(id);
    return index === undefined ? undefined : this.#slots[index];
  }

  /** Where a spot is now. */
  indexOf(spot: Spot): number {
    const known = spot.id === undefined ? undefined : this.#places.get(spot.id);
    return known ?? this.buckets?.indexOf(spot) ?? 0;
  }

  /** What is at an index. */
  spotAt(index: number): Spot {
    const day = this.buckets?.at(index);
    return { id: this.at(index)?.id, date: day?.date ?? 0, n: index - (day?.start ?? 0) };
  }

  /** A spot as it is now: an image that has left the list gives way to the one that is there instead. */
  settled(spot: Spot): Spot {
    if (this.total === 0) return spot;
    if (spot.id !== undefined && !this.#places.has(spot.id)) {
      const day = this.buckets?.day(spot.date);
      const isWhole = day && day.count <= partSize && this.#fresh.has(partOf(day, 0));
      // Others are somewhere that has not been read.
      if (day && !isWhole && !this.#gone.has(spot.id ?? '')) return spot;
    }
    const next = this.spotAt(this.indexOf(spot));
    const isSame = next.id === spot.id && next.date === spot.date && next.n === spot.n;
    return isSame ? spot : next;
  }

  /** Sets the visible range, from `first` to before `end`; only that is read. */
  see(first: number, end: number): void {
    this.#seen = [first, end];
    for (const reading of this.#reading.values()) {
      if (reading.end <= first || reading.first >= end) reading.stop.abort();
    }
    if (this.problem !== undefined) return;
    if (this.#isBehind) void this.#load();
    else this.#rest();
  }

  /** Reads records with their memos from now on; those without stay until they have been read again. */
  askForMemos(): void {
    if (this.hasMemos) return;
    this.hasMemos = true;
    this.#fresh.clear();
    this.#rest();
  }

  /**
   * Reads the days again, and of what is visible those that have changed; the present images stay until then.
   * @param changed ids of images that have changed, come or gone; undefined: any may have.
   * @param gone those that the list no longer has.
   */
  refresh(changed?: readonly string[], gone: Iterable<string> = []): void {
    this.problem = undefined;
    this.#gone = new Set(this.#isBehind ? [...this.#gone, ...gone] : gone);
    this.#changed = changed && this.#changed && [...this.#changed, ...changed];
    this.#isBehind = true;
    // What is not seen costs nothing.
    if (this.isSeen) void this.#load();
  }

  /** Reads again how large all images are together, once the list is in view. */
  weigh(): void {
    this.#isWeighed = false;
    if (this.isSeen && this.buckets && !this.#isBehind && !this.#loading) void this.#weigh();
  }

  async #weigh(): Promise<void> {
    this.#isWeighed = true;
    this.#weighing?.abort();
    const stop = (this.#weighing = new AbortController());
    try {
      const whole = { offset: 0, count: 1, memos: false };
      this.megabytes = (await this.source.page(whole, stop.signal)).megabytes;
      this.#notify();
    } catch {
      // With the next change: nothing depends on it.
      if (this.#weighing === stop) this.#isWeighed = false;
    }
  }

  /** Reads an image again whose picture failed to load: its URL may have expired. */
  renew(id: string): void {
    const index = this.#places.get(id);
    const day = index === undefined ? undefined : this.buckets?.at(index);
    if (!day || index === undefined) return;
    const part = partOf(day, index - day.start);
    if (Date.now() - (this.#fresh.get(part) ?? 0) < youngMs) return;
    this.#fresh.delete(part);
    this.#rest();
  }

  /** Stops all requests. */
  stop(): void {
    clearTimeout(this.#resting);
    this.#resting = undefined;
    this.#reading.forEach(({ stop }) => stop.abort());
    this.#loading?.abort();
    this.#loading = undefined;
    this.#weighing?.abort();
    this.#seen = [0, 0];
  }

  /** The images from `first` to before `end`, including ones that were never visible. @throws Problem. */
  async range(first: number, end: number, signal: AbortSignal): Promise<Listed[]> {
    const here = this.#slots.slice(first, end);
    const [newest, oldest] = [this.buckets?.at(first), this.buckets?.at(end - 1)];
    if (!newest || !oldest) return [];
    const isKnown = here.length === end - first && !here.includes(undefined);
    if (isKnown) return (here as Image[]).map((image) => this.#listed(image));
    const [start, last] = [this.at(first)?.id, this.at(end - 1)?.id];
    const isAll = first === 0 && end === this.total;
    const period = { from: oldest.date, to: newest.date };
    const found: Listed[] = [];
    for await (const images of this.source.walk(isAll ? undefined : period, signal)) {
      found.push(...images.map((image) => this.#listed(image)));
    }
    if (isAll) return found;
    const from = found.findIndex(({ id }) => id === start);
    const to = found.findIndex(({ id }) => id === last);
    const [before, after] = [first - newest.start, oldest.start + oldest.count - end];
    return found.slice(
      before === 0 ? 0 : from < 0 ? before : from,
      after === 0 ? undefined : to < 0 ? -after : to + 1,
    );
  }

  #listed(image: Image): Listed {
    return { id: image.id, date: this.source.dayOf(image) };
  }

  /** What is in view and has to be read. */
  #missing(): Window[] {
    const isMissing = (part: string): boolean => !this.#fresh.has(part) && !this.#reading.has(part);
    return [...(this.buckets?.windows(...this.#seen, isMissing) ?? [])];
  }

  /** Reads what is missing in view, if it rests there. */
  #rest(): void {
    if (this.#resting !== undefined) return;
    const missing = new Set(this.#missing().flatMap(({ parts }) => parts));
    if (missing.size === 0) return;
    this.#resting = setTimeout(() => {
      this.#resting = undefined;
      // What is in view is asked for again at its end.
      if (this.#loading || this.problem !== undefined) return;
      for (const window of this.#missing()) {
        if (window.parts.some((part) => missing.has(part))) void this.#read(window);
      }
      this.#rest();
    }, restMs);
  }

  async #read(window: Window): Promise<void> {
    const stop = new AbortController();
    const first = window.from.start + window.offset;
    const reading = { stop, first, end: first + window.count };
    for (const part of window.parts) this.#reading.set(part, reading);
    const { buckets } = this;
    try {
      const page = await this.source.page(this.#partOf(window), stop.signal);
      // Of another layout: what is in view is asked for again.
      if (buckets === this.buckets) this.#fill(window, page);
    } catch (problem) {
      if (!stop.signal.aborted) this.problem = problem;
    } finally {
      for (const part of window.parts) this.#reading.delete(part);
      this.#notify();
      this.#rest();
    }
  }

  #partOf({ from, to, offset, count, parts: [part = ''] }: Window): Part {
    const period = { from: to.date, to: from.date };
    const cursor = this.#cursors.get(part);
    return { period, offset, cursor, count, memos: this.hasMemos };
  }

  #fill({ from, offset, count, parts }: Window, { images, next, memos }: Page): void {
    let index = from.start + offset;
    let day: Bucket | undefined = from;
    for (const image of images.slice(0, count)) {
      const date = this.source.dayOf(image);
      if (date !== day?.date) {
        day = this.buckets?.day(date);
        index = day?.start ?? this.total;
      }
      // The list has changed meanwhile: what says so makes it be read again.
      if (!day || index >= day.start + day.count) continue;
      this.#drop(index);
      this.#places.set(image.id, index);
      this.#slots[index] = image;
      this.#shape(index, ratioOf(image));
      index += 1;
    }
    // The days are asked for once more.
    if (images.length !== count) this.refresh([]);
    for (const part of parts) {
      this.#fresh.delete(part);
      // Otherwise it was asked for before memos were.
      if (memos === this.hasMemos) this.#fresh.set(part, Date.now());
    }
    if (offset + count < from.count && next !== null) {
      this.#cursors.set(partOf(from, offset + count), next);
    }
    this.#forget();
  }

  #shape(index: number, ratio: number): void {
    if (this.ratioAt(index) !== ratio) this.shapes += 1;
    this.#ratios[index] = ratio;
  }

  /** Marks what may differ now. */
  #outdate(changed: readonly string[] | undefined): void {
    const dates = new Set<number>();
    let isComplete = changed !== undefined;
    for (const id of changed ?? []) {
      const index = this.#places.get(id);
      const day = index === undefined ? undefined : this.buckets?.at(index);
      if (day) dates.add(day.date);
      else isComplete = false;
    }
    for (const part of this.#fresh.keys()) {
      const date = Number(part.split('/')[0]);
      // Of a short day all images are known, of a long one others may have gone or come.
      const isLong = (this.buckets?.day(date)?.count ?? 0) > partSize;
      if (!changed || dates.has(date) || (isLong && !isComplete)) this.#fresh.delete(part);
    }
    this.#cursors.clear();
  }

  async #load(): Promise<void> {
    if (this.#loading) return;
    const stop = new AbortController();
    const { signal: until } = stop;
    const changed = this.#changed;
    this.#loading = stop;
    this.#isBehind = false;
    this.#changed = [];
    try {
      const start = { offset: 0, count: partSize, memos: this.hasMemos };
      const first = this.buckets ? undefined : this.source.page(start, until);
      const [found, page] = await Promise.all([this.source.days(this.#tag, until), first]);
      if (found) {
        if (changed === undefined) this.onNews();
        this.#outdate(changed);
        await this.#apply(new Buckets(found.days, !this.source.nameOf), page, until);
        this.#tag = found.tag;
      }
    } catch (problem) {
      this.#isBehind = true;
      this.#changed = changed && this.#changed && [...changed, ...this.#changed];
      if (!until.aborted) this.problem = problem;
    }
    if (until.aborted) return;
    this.#loading = undefined;
    this.#notify();
    if (this.problem !== undefined) return;
    if (this.#isBehind && this.isSeen) void this.#load();
    else this.#rest();
    if (!this.#loading && !this.#isWeighed) void this.#weigh();
  }

  /** Takes over new days, together with what of them is in view, so that nothing is drawn twice. */
  async #apply(next: Buckets, page: Page | undefined, until: AbortSignal): Promise<void> {
    const before = this.buckets;
    for (const day of before?.days ?? []) {
      if (next.day(day.date)?.count === day.count) continue;
      for (let n = 0; n < day.count; n += partSize) this.#fresh.delete(partOf(day, n));
    }
    const [first, end] = this.#seen;
    const at = first === 0 || !before ? 0 : next.indexOf(this.spotAt(first));
    const isStale = (part: string): boolean => !this.#fresh.has(part);
    const windows = before ? [...next.windows(at, at + end - first, isStale)] : [];
    const pages = await Promise.all(
      windows.map((window) => this.source.page(this.#partOf(window), until)),
    );
    this.#rebuild(next);
    if (page) this.megabytes = page.megabytes;
    this.#isWeighed ||= page !== undefined;
    for (const [n, window] of windows.entries()) {
      const read = pages[n];
      if (read) this.#fill(window, read);
    }
    if (page) this.#take(page);
  }

  /** The beginning of the list, which was read together with its days. */
  #take({ images, ...page }: Page): void {
    const sum = images.reduce((ratios, image) => ratios + ratioOf(image), 0);
    if (sum > 0) this.usualRatio = sum / images.length;
    for (const window of this.buckets?.windows(0, images.length, () => true) ?? []) {
      const { start } = window.from;
      const own = images.slice(start + window.offset, start + window.offset + window.count);
      if (own.length === window.count) this.#fill(window, { ...page, images: own, next: null });
    }
  }

  /** Lays the known images out anew. Those of days that are to be read again stay until then. */
  #rebuild(next: Buckets): void {
    const [before, slots, ratios] = [this.buckets, this.#slots, this.#ratios];
    this.buckets = next;
    this.#slots = new Array<Image | undefined>(next.total);
    this.#ratios = new Array<number | undefined>(next.total);
    this.#places.clear();
    for (const day of before?.days ?? []) {
      const now = next.day(day.date);
      for (let n = 0; now && n < Math.min(day.count, now.count); n += 1) {
        const image = slots[day.start + n];
        this.#ratios[now.start + n] = ratios[day.start + n];
        if (!image) continue;
        this.#slots[now.start + n] = image;
        this.#places.set(image.id, now.start + n);
      }
    }
  }

  /** Forgets what was read the longest ago and is not in view. */
  #forget(): void {
    const [first, end] = this.#seen;
    for (const part of this.#fresh.keys()) {
      if (this.#places.size <= kept) return;
      const [date, nth] = part.split('/').map(Number);
      const day = this.buckets?.day(date ?? 0);
      const start = (day?.start ?? 0) + (nth ?? 0) * partSize;
      const stop = Math.min(start + partSize, (day?.start ?? 0) + (day?.count ?? 0));
      if (start < end && stop > first) continue;
      for (let index = start; index < stop; index += 1) this.#drop(index);
      this.#fresh.delete(part);
      this.#cursors.delete(part);
    }
  }

  #drop(index: number): void {
    const image = this.#slots[index];
    if (image && this.#places.get(image.id) === index) this.#places.delete(image.id);
    this.#slots[index] = undefined;
  }

  #notify(): void {
    this.version.value += 1;
  }
}
