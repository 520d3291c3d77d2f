import type { BenchService } from './bench-service.js';
import type { LoadGenerator } from './load.js';

/** A line of docs/performance.md: something imgstore does, beside the most that is possible. */
export interface Row {
  /** For `--only`. */
  readonly name: string;
  /** What is measured. */
  readonly title: string;
  /** What it is compared with, in the same round. */
  readonly limit: string;
  readonly unit: '/s' | 'ms' | 'MB';
  /** Of the ratio to the limit. */
  readonly goal: Goal;
  readonly open: (bench: Bench) => Promise<Sides>;
}

export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** Both sides of a row, measured in turn. */
export interface Sides {
  readonly ours: () => Promise<number>;
  readonly limit: () => Promise<number>;
  readonly close?: () => Promise<unknown>;
}

/** What rows have in common: opened once, by the first row that needs it. */
export interface Bench {
  readonly load: LoadGenerator;
  /** A service whose user has many images. */
  readonly large: () => Promise<BenchService>;
  /** The same with 10,000 images. */
  readonly small: () => Promise<BenchService>;
  /** A directory that is removed at the end. */
  readonly scratch: string;
}

export const reaches = (ratio: number, goal: Goal): boolean =>
  'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;

export const goalText = (goal: Goal): string =>
  'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
