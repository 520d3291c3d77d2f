/** The first image of a day, in a page or in the list. */
export interface DayStart {
  /** `YYYYMMDD`. */
  readonly day: string;
  readonly index: number;
}

/** Where the images of a day are in the list. */
export interface Extent {
  readonly start: number;
  readonly count: number;
}

/** What is known of a list. */
export interface Facts {
  readonly total: number;
  /** The days in a page that has been read, from its first image on. */
  days(page: number): readonly DayStart[] | undefined;
  /** Of a day, if it has been asked for. */
  extent(day: string): Extent | undefined;
}

export interface Row {
  /** Pixels from the beginning of the list. */
  readonly top: number;
  /** Undefined where nothing has been read. */
  readonly day: string | undefined;
  /** The row begins its day: it has the day's name. */
  readonly isHead: boolean;
  readonly first: number;
  /** The index after the last image. For a head: the same as `first`. */
  readonly end: number;
}

/** A page as it is laid out. */
interface Block {
  readonly top: number;
  readonly height: number;
  readonly days: readonly DayStart[] | undefined;
  /** How many images of its first day come before it. */
  readonly before: number;
  /** The first image that it draws: one of the page before, if that has not been read. */
  readonly first: number;
}

export interface Measures {
  readonly columns: number;
  /** From row to row. */
  readonly pitch: number;
  /** Height of the name of a day. */
  readonly head: number;
}

/** Images that are read, and laid out, together. */
export const pageSize = 60;

/**
 * Where everything is: each day begins a row of its own. Where nothing has been read, the height is
 * that of other pages; rows never change once their day is known.
 */
export class Layout {
  readonly height: number;
  readonly #blocks: Block[] = [];

  constructor(
    private readonly facts: Facts,
    private readonly measures: Measures,
  ) {
    const pages = Math.ceil(facts.total / pageSize);
    const usual = this.#usualHeight(pages);
    let top = 0;
    let last: { day: string | undefined; count: number } | undefined = { day: '', count: 0 };
    for (let page = 0; page < pages; page += 1) {
      const days = facts.days(page);
      const block: Block = { top, days, ...this.#start(page, days, last), height: 0 };
      const share = Math.min(1, facts.total / pageSize - page);
      const height = days ? this.#heightOf(page, block) : share * usual;
      this.#blocks.push({ ...block, height });
      top += height;
      last = days && lastDay(page, days, block.before, facts.total);
    }
    this.height = top;
  }

  /** The rows between two depths. */
  rowsIn(from: number, to: number): Row[] {
    const rows: Row[] = [];
    for (let page = this.#blockAt(from); page < this.#blocks.length; page += 1) {
      if ((this.#blocks[page]?.top ?? 0) > to) break;
      for (const row of this.#rowsOf(page)) {
        const height = row.isHead ? this.measures.head : this.measures.pitch;
        if (row.top + height > from && row.top < to) rows.push(row);
      }
    }
    return rows;
  }

  /** The images between two depths, and the others of their pages: the first, and the end. */
  imagesIn(from: number, to: number): readonly [number, number] {
    const end = (this.#blockAt(to) + 1) * pageSize;
    return [this.#blockAt(from) * pageSize, Math.min(this.facts.total, end)];
  }

  /** The row of an image. */
  rowOf(index: number): Row | undefined {
    return this.#near(index).find((row) => index >= row.first && index < row.end);
  }

  /** The depth of the row of an image, and for the first one of a day, that of its name. */
  topOf(index: number): number {
    const row = this.rowOf(index);
    const head = this.#near(index).find((each) => each.isHead && each.first === row?.first);
    return (head ?? row)?.top ?? this.#blocks[Math.floor(index / pageSize)]?.top ?? 0;
  }

  /** The image below another one, or above it. */
  beside(index: number, rows: 1 | -1): number {
    const near = this.#near(index).filter(({ isHead }) => !isHead);
    const at = near.findIndex((row) => index >= row.first && index < row.end);
    const [row, next] = [near[at], near[at + rows]];
    if (!row || !next) return index;
    return Math.min(next.first + index - row.first, next.end - 1);
  }

  #usualHeight(pages: number): number {
    const known: number[] = [];
    for (let page = 0; page < pages - 1; page += 1) {
      const days = this.facts.days(page);
      if (days) known.push(this.#heightOf(page, { top: 0, height: 0, days, ...start(page) }));
    }
    const sum = known.reduce((all, each) => all + each, 0);
    if (known.length > 0) return sum / known.length;
    const { columns, pitch, head } = this.measures;
    return Math.ceil(pageSize / columns) * pitch + head;
  }

  /** How many images of a page's first day come before it, and where it begins to draw. */
  #start(
    page: number,
    days: readonly DayStart[] | undefined,
    last: { readonly day: string | undefined; readonly count: number } | undefined,
  ): { before: number; first: number } {
    const from = page * pageSize;
    const day = days?.[0]?.day;
    if (last) {
      const before = day === undefined || day === last.day ? last.count : 0;
      return { before, first: from + this.#missing(before) };
    }
    const extent = day === undefined ? undefined : this.facts.extent(day);
    const before = extent ? Math.max(0, from - extent.start) : 0;
    return { before, first: from - (before % this.measures.columns) };
  }

  /** Images that fill the row that so many of a day have begun. */
  #missing(count: number): number {
    const { columns } = this.measures;
    return (columns - (count % columns)) % columns;
  }

  #heightOf(page: number, block: Block): number {
    const { head, pitch } = this.measures;
    return this.#rows(page, block).reduce((sum, { isHead }) => sum + (isHead ? head : pitch), 0);
  }

  #rowsOf(page: number): Row[] {
    const block = this.#blocks[page];
    return block ? this.#rows(page, block) : [];
  }

  #rows(page: number, block: Block): Row[] {
    const { columns, head, pitch } = this.measures;
    const rows: Row[] = [];
    let { top } = block;
    const end = Math.min(this.facts.total, (page + 1) * pageSize);
    const runs = block.days ?? [{ day: undefined, index: page * pageSize }];
    for (const [n, { day, index }] of runs.entries()) {
      const next = runs[n + 1]?.index;
      if (block.days && (n > 0 || block.before === 0)) {
        rows.push({ top, day, isHead: true, first: index, end: index });
        top += head;
      }
      const limit = next ?? this.#endOfRow(page, day);
      const first = n === 0 && block.before > 0 ? block.first : index;
      for (let at = first; at < (next ?? end); at += columns) {
        // What has not been read is not higher than estimated.
        if (!block.days && block.height > 0 && top + pitch > block.top + block.height) break;
        rows.push({ top, day, isHead: false, first: at, end: Math.min(at + columns, limit) });
        top += pitch;
      }
    }
    return rows;
  }

  /** Where the last row of a page ends at the latest: in the next page, whose day may be the same. */
  #endOfRow(page: number, day: string | undefined): number {
    const after = (page + 1) * pageSize;
    const next = this.facts.days(page + 1);
    const { total } = this.facts;
    if (!next) return total;
    if (day === undefined) return Math.min(total, this.#blocks[page + 1]?.first ?? after);
    if (next[0]?.day !== day) return Math.min(total, after);
    return next[1]?.index ?? Math.min(total, after + pageSize);
  }

  #near(index: number): Row[] {
    const page = Math.floor(index / pageSize);
    return [page - 1, page, page + 1].flatMap((each) => this.#rowsOf(each));
  }

  /** The page at a depth. */
  #blockAt(depth: number): number {
    let [low, high] = [0, this.#blocks.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#blocks[middle]?.top ?? 0) <= depth) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }
}

const start = (page: number) => ({ before: 0, first: page * pageSize });

/** The last day of a page, and how many of its images there are up to the end of the page. */
function lastDay(
  page: number,
  days: readonly DayStart[],
  before: number,
  total: number,
): { day: string | undefined; count: number } {
  const last = days.at(-1);
  const end = Math.min(total, (page + 1) * pageSize);
  const count = end - (last?.index ?? end) + (days.length === 1 ? before : 0);
  return { day: last?.day, count };
}
