/** Pseudorandom numbers that are the same in every run (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 up to but not including `end`. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  /** One of these; undefined if there are none. */
  of<const C extends readonly [unknown, ...unknown[]]>(choices: C): C[number];
  of<T>(choices: readonly T[]): T | undefined;
  of<T>(choices: readonly T[]): T | undefined {
    return choices[this.below(choices.length)];
  }

  /** All of these in random order. */
  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, key: this.below(2 ** 30) }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);
  }
}
