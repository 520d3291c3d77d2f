/** A day of a list and how many images it has. */
export interface Counted {
  /** `YYYYMMDD`. */
  readonly date: number;
  readonly count: number;
}

/** A day as it lies in the list. */
export interface Bucket extends Counted {
  /** Its place among the days. */
  readonly nth: number;
  /** The index of its first image. */
  readonly start: number;
}

/** Where an image is, or was: its id, once that is known, and its place in its day. */
export interface Spot {
  readonly id: string | undefined;
  readonly date: number;
  /** Images of its day before it. */
  readonly n: number;
}

/** Images of a day that are read together; shorter days are read with those beside them. */
export const partSize = 100;

/** Images that one request reads: whole days, or a part of one. */
export interface Window {
  readonly from: Bucket;
  /** The oldest day; `from` if it is one. */
  readonly to: Bucket;
  /** Images of the day before it. */
  readonly offset: number;
  readonly count: number;
  /** The parts of days in it. */
  readonly parts: readonly string[];
}

export const partOf = ({ date }: Counted, n: number): string =>
  `${date}/${Math.floor(n / partSize)}`;

/** The exact days of a list, the newest first. */
export class Buckets {
  readonly total: number;
  readonly days: readonly Bucket[];
  readonly #byDate: ReadonlyMap<number, Bucket>;

  /** @param isJoined whether short days beside each other are read together. */
  constructor(
    counted: readonly Counted[],
    private readonly isJoined = true,
  ) {
    let start = 0;
    this.days = counted.map(({ date, count }, nth) => {
      const day = { date, count, nth, start };
      start += count;
      return day;
    });
    this.total = start;
    this.#byDate = new Map(this.days.map((day) => [day.date, day]));
  }

  day(date: number): Bucket | undefined {
    return this.#byDate.get(date);
  }

  /** The day of an image. */
  at(index: number): Bucket | undefined {
    let [low, high] = [0, this.days.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.days[middle]?.start ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return index >= 0 && index < this.total ? this.days[low] : undefined;
  }

  /** The index of a place, or where it would be: its day may have fewer images now, or none. */
  indexOf({ date, n }: Spot): number {
    const day = this.day(date);
    if (day) return Math.min(day.start + n, Math.max(0, this.total - 1));
    const older = this.days.find((each) => each.date < date);
    return older?.start ?? Math.max(0, this.total - 1);
  }

  /** The requests for those parts, of the images from `first` to before `end`, that are wanted. */
  *windows(
    first: number,
    end: number,
    isWanted: (part: string) => boolean,
  ): Generator<Window, void, undefined> {
    const isShort = (day: Bucket | undefined): boolean =>
      day !== undefined && this.#isShort(day) && isWanted(partOf(day, 0));
    let run: Window | undefined;
    for (let n = this.#beginning(first, isShort); ; n += 1) {
      const day = this.days[n];
      const goesOn = day !== undefined && isShort(day);
      if (run && (!goesOn || run.count + day.count > partSize)) {
        yield run;
        run = undefined;
      }
      // What is begun goes on beyond the end, for those who scroll there.
      if (!day || (day.start >= end && !run)) return;
      if (goesOn) {
        run = {
          from: run?.from ?? day,
          to: day,
          offset: 0,
          count: (run?.count ?? 0) + day.count,
          parts: [...(run?.parts ?? []), partOf(day, 0)],
        };
      } else if (!this.#isShort(day)) yield* this.#partsOf(day, first, end, isWanted);
    }
  }

  #isShort({ count }: Counted): boolean {
    return this.isJoined && count <= partSize;
  }

  /** Short days before the first one are read with it, for those who scroll up. */
  #beginning(first: number, isShort: (day: Bucket | undefined) => boolean): number {
    const day = this.at(first);
    if (!day) return this.days.length;
    let n = day.nth;
    const before = (): Bucket | undefined => this.days[n - 1];
    while (isShort(day) && isShort(before()) && first - (before()?.start ?? 0) <= partSize / 2)
      n -= 1;
    return n;
  }

  *#partsOf(
    day: Bucket,
    first: number,
    end: number,
    isWanted: (part: string) => boolean,
  ): Generator<Window, void, undefined> {
    const before = Math.max(0, Math.floor((first - day.start) / partSize)) * partSize;
    const last = Math.min(day.count, end - day.start);
    for (let offset = before; offset < last; offset += partSize) {
      const part = partOf(day, offset);
      const count = Math.min(partSize, day.count - offset);
      if (isWanted(part)) yield { from: day, to: day, offset, count, parts: [part] };
    }
  }
}
