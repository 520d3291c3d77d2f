import { signal } from '@preact/signals';
import type { Images, Listed } from './images';
import type { Spot } from './buckets';

export type Chosen = ReadonlyMap<string, number>;

/** The selected images, by their ids, and the start of the next range. */
export class Selection {
  /** With the day of each. */
  readonly chosen = signal<Chosen>(new Map());
  /** Whether images are being asked for that were never in view. */
  readonly isReading = signal(false);
  #anchor: Spot | undefined;
  #stop = new AbortController();
  #perDay: { readonly of: Chosen; readonly counts: ReadonlyMap<number, number> } | undefined;

  constructor(private readonly images: Images) {}

  get ids(): readonly string[] {
    return [...this.chosen.value.keys()];
  }

  has(id: string | undefined): boolean {
    return id !== undefined && this.chosen.value.has(id);
  }

  /** How many images of a day are selected. */
  countOn(date: number): number {
    const of = this.chosen.value;
    if (this.#perDay?.of !== of) {
      const counts = new Map<number, number>();
      for (const day of of.values()) counts.set(day, (counts.get(day) ?? 0) + 1);
      this.#perDay = { of, counts };
    }
    return this.#perDay.counts.get(date) ?? 0;
  }

  clear(): void {
    this.#interrupt();
    if (this.chosen.peek().size > 0) this.chosen.value = new Map();
  }

  /** Images that have left the list. */
  drop(ids: Iterable<string>): void {
    const next = new Map(this.chosen.peek());
    for (const id of ids) next.delete(id);
    if (next.size < this.chosen.peek().size) this.chosen.value = next;
  }

  /** Selects what is at an index, or if it is selected, no longer. */
  toggle(index: number): void {
    const { id, date } = (this.#anchor = this.images.spotAt(index));
    if (id === undefined) return;
    const next = new Map(this.chosen.value);
    if (!next.delete(id)) next.set(id, date);
    this.chosen.value = next;
  }

  /** The start of the next range. */
  startAt(index: number): void {
    this.#anchor = this.images.spotAt(index);
  }

  /**
   * Selects everything from the last image that was selected alone. @param kept what stays selected besides.
   * @throws Problem.
   */
  async extendTo(index: number, kept: Chosen = new Map()): Promise<void> {
    const from = this.#anchor ? this.images.indexOf(this.#anchor) : 0;
    const [first, end] = [Math.min(from, index), Math.max(from, index) + 1];
    await this.#choose(first, end, (found) => new Map([...kept, ...mapOf(found)]));
  }

  /** Selects what is at these indexes, in their order. @param kept as in `extendTo`. @throws Problem. */
  async mark(indexes: readonly number[], kept: Chosen): Promise<void> {
    const [first = 0, last = first - 1] = [indexes[0], indexes.at(-1)];
    if (indexes.length > 0) this.startAt(first);
    await this.#choose(first, last + 1, (found) => {
      const touched = indexes.flatMap((index) => found[index - first] ?? []);
      return new Map([...kept, ...mapOf(touched)]);
    });
  }

  /** Selects these images, too, or if all of them are selected, no longer. @throws Problem. */
  async toggleRange(first: number, end: number): Promise<void> {
    this.startAt(first);
    await this.#choose(first, end, (found) => {
      const next = new Map(this.chosen.peek());
      const all = found.every(({ id }) => next.has(id));
      for (const { id, date } of found) {
        if (all) next.delete(id);
        else next.set(id, date);
      }
      return next;
    });
  }

  /** Selects all that the list has. @throws Problem. */
  async all(): Promise<void> {
    await this.#choose(0, this.images.total, (found) => mapOf(found));
  }

  async #choose(
    first: number,
    end: number,
    next: (found: readonly Listed[]) => Chosen,
  ): Promise<void> {
    this.#interrupt();
    const { signal: until } = this.#stop;
    this.isReading.value = true;
    try {
      const found = await this.images.range(first, end, until);
      // The selection may have changed while this was read.
      if (!until.aborted) this.chosen.value = next(found);
    } catch (problem) {
      if (!until.aborted) throw problem;
    } finally {
      if (!until.aborted) this.isReading.value = false;
    }
  }

  #interrupt(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.isReading.value = false;
  }
}

const mapOf = (found: readonly Listed[]): Chosen =>
  new Map(found.map(({ id, date }) => [id, date]));
