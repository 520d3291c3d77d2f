import { createHash } from 'node:crypto';

/** Unique names of entries; a number is added to a name that is already taken. */
export class EntryNames {
  // 48 bits of a hash of each name, since the names of many images would take megabytes. On a
  // collision, a name gets a number needlessly.
  readonly #taken = new Set<number>();

  constructor(...taken: readonly string[]) {
    for (const name of taken) this.#take(name);
  }

  /** A name that has not been given yet; deterministic for the same sequence of names. */
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
