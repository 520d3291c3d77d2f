import { signal } from '@preact/signals';
import type { ImageItem } from './listing';
import type { Pages } from './pages';

/** More at once would keep too much in memory, and the server too busy. */
export const maxSelected = 5_000;

/** The selected items, and the start of the next range. */
export class Selection {
  readonly items = signal<ReadonlyMap<string, ImageItem>>(new Map());
  #anchor = 0;
  #turn = 0;

  constructor(private readonly pages: Pages) {}

  has(item: ImageItem | undefined): boolean {
    return item !== undefined && this.items.value.has(item.data.id);
  }

  clear(): void {
    this.#turn += 1;
    if (this.items.value.size > 0) this.items.value = new Map();
  }

  toggle(index: number): void {
    const item = this.pages.at(index);
    if (!item) return;
    this.#anchor = index;
    const next = new Map(this.items.value);
    if (!next.delete(item.data.id)) next.set(item.data.id, item);
    this.items.value = next;
  }

  /** The start of the next range. */
  startAt(index: number): void {
    this.#anchor = index;
  }

  /** Selects everything from the last item that was selected alone. @throws Problem. */
  async extendTo(index: number): Promise<void> {
    await this.#choose(Math.min(this.#anchor, index), Math.max(this.#anchor, index));
  }

  /** Selects so many items, too, or if all of them are selected, no longer. @throws Problem. */
  async toggleRange(first: number, count: number): Promise<void> {
    const turn = (this.#turn += 1);
    const items = await this.pages.items(first, first + Math.min(count, maxSelected) - 1);
    if (turn !== this.#turn) return;
    this.#anchor = first;
    const next = new Map(this.items.value);
    const all = items.every(({ data: { id } }) => next.has(id));
    for (const item of items) {
      if (all) next.delete(item.data.id);
      else if (next.size < maxSelected) next.set(item.data.id, item);
    }
    this.items.value = next;
  }

  /** Selects as many items as possible, from the first. @throws Problem. */
  async all(): Promise<void> {
    await this.#choose(0, this.pages.total - 1);
  }

  async #choose(first: number, last: number): Promise<void> {
    const turn = (this.#turn += 1);
    const items = await this.pages.items(first, Math.min(last, first + maxSelected - 1));
    // The selection may have changed while this was read.
    if (turn !== this.#turn) return;
    this.items.value = new Map(items.map((item) => [item.data.id, item]));
  }
}
