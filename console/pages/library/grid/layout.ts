import type { grouping } from '../../../core/looks';
import { partSize } from '../buckets';
import type { Bucket } from '../buckets';

/** A day, or a month, as it is laid out. */
export interface Group extends Run {
  /** Where its images begin, and how much room its name has. */
  readonly left: number;
  readonly width: number;
}

/** Groups beside each other in one row, or one group with rows of its own; under their names. */
export interface Band {
  readonly top: number;
  readonly height: number;
  readonly groups: readonly Group[];
  readonly first: number;
  readonly end: number;
}

export interface Row {
  /** Where it, or the name above it, begins. */
  readonly start: number;
  readonly top: number;
  readonly height: number;
  readonly first: number;
  readonly end: number;
  /** Width of an image that is as wide as it is high. */
  readonly unit: number;
  readonly groups: readonly Group[];
}

/** Where an image is in its row. */
export interface Box {
  readonly left: number;
  readonly width: number;
}

/** A rectangle that is drawn over images, by depths and from the left. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** How images are laid out. */
export interface Measures {
  readonly width: number;
  /** How high rows are, or if they may fill the width, how high they are to be about. */
  readonly height: number;
  /** How many images a row has; undefined: as many as fill it, uncropped. */
  readonly columns: number | undefined;
  readonly gap: number;
  /** Height of the name of a group. */
  readonly head: number;
  /** Width of an image as a part of its height; and of one that has not been read. */
  ratioAt(index: number): number;
  readonly usualRatio: number;
}

/** A name is readable in so many pixels. */
const leastName = 170;
/** Between groups that share a row. */
const groupGap = 20;
/** How much lower than usual rows may be for groups to fit beside each other, and how much higher to fill it. */
const stretch = { least: 0.75, most: 1.35 };
/** Rows of fewer images are not set apart from those before them. */
const leastBlock = 40;

interface Run {
  /** `YYYYMMDD`, or of a month `YYYYMM`; or what is in place of a day. */
  readonly key: number;
  /** The indexes of its first image, and after its last one. */
  readonly first: number;
  readonly end: number;
}

/** Days, or what is in their place, or the months that they make up. */
export function groupsOf(days: readonly Bucket[], by: typeof grouping.chosen.value): Run[] {
  const runs: Run[] = [];
  for (const { date, start, count } of days) {
    const key = by === 'month' ? Math.floor(date / 100) : date;
    const last = runs.at(-1);
    if (last?.key === key) runs[runs.length - 1] = { ...last, end: start + count };
    else runs.push({ key, first: start, end: start + count });
  }
  return runs;
}

/**
 * Runs that share a row: those that fit if their images are as wide as usual. So what has not been read, and
 * what is read later, changes how high rows are but not what is beside what.
 */
function* sharing(runs: readonly Run[], of: Measures): Generator<readonly Run[], void> {
  const usual = of.usualRatio * of.height * (of.columns === undefined ? stretch.least : 1);
  let band: Run[] = [];
  let used = 0;
  for (const run of runs) {
    const count = run.end - run.first;
    const width = Math.max(leastName, count * (usual + of.gap) - of.gap);
    if (band.length > 0 && used + width > of.width) {
      yield band;
      [band, used] = [[], 0];
    }
    band.push(run);
    used += width + groupGap;
  }
  if (band.length > 0) yield band;
}

/** Where everything is. Images that have not been read are as wide as usual until then. */
export class Layout {
  readonly height: number;
  readonly #bands: Band[] = [];
  readonly #rows: Row[] = [];

  constructor(
    runs: readonly Run[],
    private readonly of: Measures,
  ) {
    let top = 0;
    for (const shared of sharing(runs, of)) top = this.#add(shared, top);
    this.height = top;
  }

  /** The bands between two depths. */
  bandsIn(from: number, to: number): Band[] {
    const first = firstOf(this.#bands, ({ top, height }) => top + height > from);
    const end = firstOf(this.#bands, ({ top }) => top >= to);
    return this.#bands.slice(first, end);
  }

  /** The rows between two depths. */
  rowsIn(from: number, to: number): Row[] {
    const first = firstOf(this.#rows, ({ top, height }) => top + height > from);
    return this.#rows.slice(
      first,
      Math.max(
        first,
        firstOf(this.#rows, (row) => row.top >= to),
      ),
    );
  }

  /** Where the images of a row are. */
  boxesOf({ first, end, unit, groups }: Row): Box[] {
    const boxes: Box[] = [];
    let at = 0;
    for (let index = first; index < end; index += 1) {
      at = groups.find((group) => group.first === index)?.left ?? at;
      const right = at + this.of.ratioAt(index) * unit;
      boxes.push({ left: Math.round(at), width: Math.round(right) - Math.round(at) });
      at = right + this.of.gap;
    }
    return boxes;
  }

  /** The images that a frame touches. */
  touched({ left, right, top, bottom }: Frame): number[] {
    return this.rowsIn(top, bottom).flatMap((row) =>
      this.boxesOf(row).flatMap((box, n) =>
        box.left < right && box.left + box.width > left ? [row.first + n] : [],
      ),
    );
  }

  /** The first image whose row, or the name above it, begins at a depth or below it. */
  indexAt(depth: number): number {
    const found = firstOf(this.#rows, ({ start }) => start >= depth);
    return (this.#rows[found] ?? this.#rows.at(-1))?.first ?? 0;
  }

  /** The depths where the row of an image begins and ends. */
  rowOf(index: number): { readonly top: number; readonly bottom: number } {
    const { top = 0, height = 0 } = this.#rows[this.#nthOf(index)] ?? {};
    return { top, bottom: top + height };
  }

  /** The depth of the row of an image, and for the first row of a group, that of its name. */
  topOf(index: number): number {
    return this.#rows[this.#nthOf(index)]?.start ?? 0;
  }

  /** Where a key leads from an image; undefined if it leads nowhere. @param page pixels of a page. */
  move(key: string, from: number, page: number): number | undefined {
    const last = (this.#rows.at(-1)?.end ?? 0) - 1;
    const n = this.#nthOf(from);
    const depth = this.#rows[n]?.top ?? 0;
    const rowAt = (top: number): number => firstOf(this.#rows, (row) => row.top > top) - 1;
    const to = new Map([
      ['ArrowRight', () => from + 1],
      ['ArrowLeft', () => from - 1],
      ['ArrowDown', () => this.#near(from, n + 1)],
      ['ArrowUp', () => this.#near(from, n - 1)],
      ['PageDown', () => this.#near(from, Math.max(n + 1, rowAt(depth + page)))],
      ['PageUp', () => this.#near(from, Math.min(n - 1, rowAt(depth - page)))],
      ['Home', () => 0],
      ['End', () => last],
    ]).get(key)?.();
    return to === undefined || last < 0 ? undefined : Math.min(last, Math.max(0, to));
  }

  /** The nearest image of another row, or at the ends of the list, of the last or first one. */
  #near(from: number, nth: number): number {
    const row = this.#rows[this.#nthOf(from)];
    const other = this.#rows[Math.min(Math.max(nth, 0), this.#rows.length - 1)];
    if (!row || !other) return from;
    const centerOf = ({ left, width }: Box): number => left + width / 2;
    const box = this.boxesOf(row)[from - row.first];
    const away = this.boxesOf(other).map((each) =>
      Math.abs(centerOf(each) - (box ? centerOf(box) : 0)),
    );
    return other.first + away.indexOf(Math.min(...away));
  }

  #nthOf(index: number): number {
    return Math.min(
      firstOf(this.#rows, ({ end }) => end > index),
      this.#rows.length - 1,
    );
  }

  /** Adds groups that share a row, or one with rows of its own. @returns where they end. */
  #add(runs: readonly Run[], top: number): number {
    const [first, end] = [runs[0]?.first ?? 0, runs.at(-1)?.end ?? 0];
    const isShared = runs.length > 1;
    const groups: Group[] = [];
    let below = top + this.of.head;
    const add = (from: number, to: number, unit: number): void => {
      const height = this.of.columns === undefined ? Math.round(unit) : this.of.height;
      const isFirst = from === first;
      const start = isFirst ? top : below;
      const shared = isShared ? groups : [];
      this.#rows.push({ start, top: below, height, first: from, end: to, unit, groups: shared });
      below += height + this.of.gap;
    };
    if (isShared) {
      const unit = this.#sharedUnitOf(runs);
      groups.push(...this.#placed(runs, unit));
      add(first, end, unit);
    } else {
      groups.push(...runs.map((run) => ({ ...run, left: 0, width: this.of.width })));
      if (this.of.columns !== undefined) this.#cutEvenly(first, end, this.of.columns, add);
      else this.#cut(first, end, add);
    }
    this.#bands.push({ top, height: below - top, groups, first, end });
    return below;
  }

  #cutEvenly(first: number, end: number, columns: number, add: Add): void {
    for (let from = first; from < end; from += columns) {
      add(from, Math.min(from + columns, end), this.of.height);
    }
  }

  /** Cuts a group into parts as they are read, and these into rows that are filled alike. */
  #cut(first: number, end: number, add: Add): void {
    for (let from = first; from < end;) {
      const to = end - from < partSize + leastBlock ? end : from + partSize;
      const ratio = this.#ratioOf(from, to);
      const { width, height, gap } = this.of;
      const rows = Math.max(1, Math.round((ratio * height + (to - from) * gap) / width));
      let [begun, sum, n] = [from, 0, 1];
      for (let index = from; index < to; index += 1) {
        const own = this.of.ratioAt(index);
        if (begun < index && sum + own / 2 > (n * ratio) / rows) {
          add(begun, index, this.#unitOf(begun, index));
          [begun, n] = [index, n + 1];
        }
        sum += own;
      }
      add(begun, to, this.#unitOf(begun, to));
      from = to;
    }
  }

  #ratioOf(first: number, end: number): number {
    let sum = 0;
    for (let index = first; index < end; index += 1) sum += this.of.ratioAt(index);
    return sum;
  }

  /** As high as images have to be to fill a row; if that is too high, as usual. */
  #unitOf(first: number, end: number): number {
    const { width, height, gap, columns } = this.of;
    if (columns !== undefined) return height;
    const unit = (width - (end - first - 1) * gap) / this.#ratioOf(first, end);
    return unit > stretch.most * height ? height : unit;
  }

  /** As high as images can be for groups to fill a row: the higher they are, the less room names need besides. */
  #sharedUnitOf(runs: readonly Run[]): number {
    const { width, height, gap, columns } = this.of;
    if (columns !== undefined) return height;
    const own = runs.map(({ first, end }) => [this.#ratioOf(first, end), end - first - 1] as const);
    const widthWith = (unit: number): number =>
      own.reduce(
        (sum, [ratio, gaps], n) => {
          const least = n < own.length - 1 ? leastName : 0;
          return sum + Math.max(least, ratio * unit + gaps * gap);
        },
        groupGap * (own.length - 1),
      );
    let [low, high] = [0, stretch.most * height];
    if (widthWith(high) <= width) return height;
    while (high - low > 0.01) {
      const middle = (low + high) / 2;
      if (widthWith(middle) <= width) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Groups beside each other; the last one's name may go on to the end of the row. */
  #placed(runs: readonly Run[], unit: number): Group[] {
    let left = 0;
    return runs.map((run, n) => {
      const { first, end } = run;
      const own = this.#ratioOf(first, end) * unit + (end - first - 1) * this.of.gap;
      const width = n === runs.length - 1 ? this.of.width - left : Math.max(leastName, own);
      const group = { ...run, left, width };
      left += width + groupGap;
      return group;
    });
  }
}

/** Adds a row. */
type Add = (first: number, end: number, unit: number) => void;

/** The index of the first that is so, of things of which those at the end are. */
function firstOf<Thing>(all: readonly Thing[], isSo: (thing: Thing) => boolean): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const thing = all[middle];
    if (thing !== undefined && isSo(thing)) high = middle;
    else low = middle + 1;
  }
  return low;
}
