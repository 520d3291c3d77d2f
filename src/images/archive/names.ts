import { createHash } from 'node:crypto';

/** Names of entries: each its own, with a number added to those that are taken. */
export class EntryNames {
  // 48 bits of each, since the names of many images would take megabytes. A name that only seems to
  // be taken gets a number without need.
  readonly #taken = new Set<number>();

  constructor(...taken: readonly string[]) {
    for (const name of taken) this.#take(name);
  }

  /** A name that has not been given yet, and the same for the same names before it. */
  give(wanted: string): string {
    let name = wanted;
    for (let n = 2; !this.#take(name); n += 1) name = wanted.replace(/(?=\.[^.]*$|$)/, ` (${n})`);
    return name;
  }

  /** @returns whether it was free. */
  #take(name: string): boolean {
    const before = this.#taken.size;
    this.#taken.add(createHash('sha1').update(name).digest().readUIntBE(0, 6));
    return this.#taken.size > before;
  }
}
