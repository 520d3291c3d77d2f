import type { BenchService } from './bench-service.js';
import type { LoadGenerator } from './load.js';

/** A row of docs/performance.md: an operation of imgstore, compared with the maximum possible. */
export interface Row {
  /** For `--only`. */
  readonly name: string;
  /** The measured operation. */
  readonly title: string;
  /** The operation that it is compared with in the same round. */
  readonly limit: string;
  readonly unit: '/s' | 'ms' | 'MB';
  /** Goal for the ratio to the limit. */
  readonly goal: Goal;
  /** Position in the growth chart. */
  readonly growth?: Growth;
  /** The other image store that it is compared with. */
  readonly peer?: string;
  readonly open: (bench: Bench) => Promise<Sides>;
}

/** A read of one user in a table of `rows` images. */
export interface Growth {
  readonly read: string;
  readonly user: 'largest' | 'small';
  readonly rows: number;
}

export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** Both sides of a row, measured alternately. */
export interface Sides {
  readonly ours: () => Promise<number>;
  readonly limit: () => Promise<number>;
  readonly close?: () => Promise<unknown>;
}

/** Resources that rows share: opened once, by the first row that needs them. */
export interface Bench {
  readonly load: LoadGenerator;
  /** A service whose user has many images. */
  readonly large: () => Promise<BenchService>;
  /** A service whose user has 10,000 images. */
  readonly small: () => Promise<BenchService>;
  /** A service with `rows` images of many users; see table.ts. */
  readonly table: (rows: number) => Promise<BenchService>;
  /** A directory that is removed at the end. */
  readonly scratch: string;
}

export const reaches = (ratio: number, goal: Goal): boolean =>
  'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;

export const goalText = (goal: Goal): string =>
  'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
