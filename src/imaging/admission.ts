import { bytesPerMegabyte } from '../units.js';

/**
 * `heavy` pictures take much memory or time, by their structure or as it turned out. They have slots
 * and memory of their own, so that they never keep the others waiting.
 */
export type Kind = 'quick' | 'heavy';

/** What an imaging process takes before it has a picture. */
const processBytes = 48 * bytesPerMegabyte;
/** What quick pictures may need at most: see weight.ts. */
const quickShare = 0.5;

/** What a picture under way takes up. */
export interface Place {
  /** Counts it as heavy from now on. @returns false when there is no slot for it. */
  becomesHeavy(): boolean;
  leave(): void;
}

/** How many pictures are worked on at the same time, by number and by memory. */
export class Admission {
  readonly #running: Record<Kind, number> = { quick: 0, heavy: 0 };
  readonly #bytes: Record<Kind, number> = { quick: 0, heavy: 0 };
  readonly #slots: Record<Kind, number>;
  readonly #room: Record<Kind, number>;

  /** @param memoryBytes that all pictures together may take. */
  constructor(threads: number, memoryBytes: number) {
    this.#slots = { quick: threads, heavy: Math.max(1, threads - 1) };
    const quick = memoryBytes * quickShare;
    this.#room = { quick, heavy: memoryBytes - quick };
  }

  /** A picture that needs more than all of the room is let in when it would be the only one of its kind. */
  admits(kind: Kind, bytes: number): boolean {
    if (!this.#hasSlot(kind)) return false;
    const taken = this.#bytes[kind];
    return taken === 0 || taken + bytes + processBytes <= this.#room[kind];
  }

  enter(kind: Kind, bytes: number): Place {
    let now = kind;
    const move = (step: 1 | -1): void => {
      this.#running[now] += step;
      this.#bytes[now] += step * (bytes + processBytes);
    };
    move(1);
    return {
      becomesHeavy: () => {
        if (now === 'heavy') return true;
        if (this.#running.heavy >= this.#slots.heavy) return false;
        move(-1);
        now = 'heavy';
        move(1);
        return true;
      },
      leave: () => move(-1),
    };
  }

  /** One slot more than threads: either kind has one that the other cannot take. */
  #hasSlot(kind: Kind): boolean {
    const { quick, heavy } = this.#running;
    return this.#running[kind] < this.#slots[kind] && quick + heavy <= this.#slots.quick;
  }
}
