import { bytesPerMegabyte } from '../base/units.js';
import type { Inspection } from './protocol.js';

/**
 * `heavy` images take much memory or time, judging by their structure or by experience. They have
 * slots and memory of their own, so that they never hold up the others.
 */
export type CostClass = 'quick' | 'heavy';

/** Memory of an imaging process before it gets an image. */
const processBytes = 48 * bytesPerMegabyte;
/** Upper limit for quick images: see `costClassOf`. */
const quickShare = 0.5;

/** Resources used by an image in progress. */
export interface Slot {
  /** Counts the image as heavy from now on. @returns false if no heavy slot is free. */
  becomesHeavy(): boolean;
  leave(): void;
}

/** Limits how many images are processed at the same time, by number and by memory. */
export class Admission {
  readonly #running: Record<CostClass, number> = { quick: 0, heavy: 0 };
  readonly #bytes: Record<CostClass, number> = { quick: 0, heavy: 0 };
  readonly #slots: Record<CostClass, number>;
  readonly #memory: Record<CostClass, number>;

  /** @param memoryBytes limit for all images together. */
  constructor(threads: number, memoryBytes: number) {
    this.#slots = { quick: threads, heavy: Math.max(1, threads - 1) };
    const quick = memoryBytes * quickShare;
    this.#memory = { quick, heavy: memoryBytes - quick };
  }

  /**
   * An image that needs more than the whole limit is admitted when it would be the only one of its
   * class.
   */
  admits(costClass: CostClass, bytes: number): boolean {
    if (!this.#hasSlot(costClass)) return false;
    const taken = this.#bytes[costClass];
    return taken === 0 || taken + bytes + processBytes <= this.#memory[costClass];
  }

  enter(costClass: CostClass, bytes: number): Slot {
    let now = costClass;
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

  /** Images that have a slot. */
  get running(): number {
    return this.#running.quick + this.#running.heavy;
  }

  /** There is one slot more than threads: each class has one that the other cannot take. */
  #hasSlot(costClass: CostClass): boolean {
    const { quick, heavy } = this.#running;
    return this.#running[costClass] < this.#slots[costClass] && quick + heavy <= this.#slots.quick;
  }
}

/** Above this, an image is heavy; ordinary phone photos are below. */
const heavyBytes = 256 * bytesPerMegabyte;
const heavyPixels = 50e6;
/** Allowance for any image; the rates below are those of the slowest decoders. */
const baseSeconds = 0.5;
const pixelsPerSecond = 20e6;
const bytesPerSecond = 100 * bytesPerMegabyte;

/**
 * Bytes for each pixel of an image that keeps its size: as decoded, with sixteen bits at most, as
 * converted or turned, and as encoded.
 */
const fullPixelBytes = 12;

/**
 * An image whose whole picture is made takes more than one that is scaled while it is decoded.
 * @param side of the square that the picture is fitted into.
 */
export const atFullSize = (inspection: Inspection, side = Infinity): Inspection => {
  const pixels = Math.min(inspection.width * inspection.height, side ** 2);
  return { ...inspection, memoryBytes: inspection.memoryBytes + pixels * fullPixelBytes };
};

export const costClassOf = ({ width, height, memoryBytes }: Inspection): CostClass =>
  memoryBytes > heavyBytes || width * height > heavyPixels ? 'heavy' : 'quick';

/**
 * CPU time in seconds that the structure of an image suggests; beyond that, it is treated as heavy.
 */
export const expectedCpuSeconds = ({ width, height, memoryBytes }: Inspection): number =>
  baseSeconds + (width * height) / pixelsPerSecond + memoryBytes / bytesPerSecond;
