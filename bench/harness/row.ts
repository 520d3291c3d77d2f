import type { BenchService } from './bench-service.js';
import { median, type LoadGenerator } from './load.js';

/** An operation, measured beside what it is compared with. */
export interface Row {
  /** For `--only`. */
  readonly name: string;
  /** The measured operation. */
  readonly title: string;
  /** What it is compared with in the same rounds, if with anything. */
  readonly limit?: string;
  readonly unit: '/s' | 'ms' | 'MB' | 'KB';
  /** Of the ratio to the limit; without one, of the figure. */
  readonly goal: Goal;
  readonly open: (bench: Bench) => Promise<Sides>;
}

export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** Both sides of a row, measured alternately. */
export interface Sides {
  readonly ours: () => Promise<number>;
  readonly limit?: () => Promise<number>;
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

export interface Result {
  readonly row: Pick<Row, 'title' | 'limit' | 'unit' | 'goal'>;
  /** Medians of the rounds. */
  readonly ours: number;
  readonly beside?: {
    readonly limit: number;
    /** Median of the rounds' own ratios: a disturbance affects both sides of a round. */
    readonly ratio: number;
    readonly lowest: number;
    readonly highest: number;
  };
  readonly reached: boolean;
}

/** Measures both sides of a row alternately, after a warm-up round. */
export async function measure(row: Row, bench: Bench, rounds: number): Promise<Result> {
  const { ours: measureOurs, limit: measureLimit, close } = await row.open(bench);
  try {
    const ours: number[] = [];
    const limits: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      ours.push(await measureOurs());
      if (measureLimit) limits.push(await measureLimit());
    }
    return resultOf(row, ours.slice(1), limits.slice(1));
  } finally {
    await close?.();
  }
}

/** @param limits of the same rounds; empty if there is nothing to compare with. */
export function resultOf(
  row: Result['row'],
  ours: readonly number[],
  limits: readonly number[],
): Result {
  const ratios = limits.map((limit, round) => (ours[round] ?? NaN) / limit);
  const figure = median(ours);
  if (limits.length === 0) return { row, ours: figure, reached: reaches(figure, row.goal) };
  const ratio = median(ratios);
  const [lowest, highest] = [Math.min(...ratios), Math.max(...ratios)];
  const beside = { limit: median(limits), ratio, lowest, highest };
  return { row, ours: figure, beside, reached: reaches(ratio, row.goal) };
}

const reaches = (value: number, goal: Goal): boolean =>
  'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;

/** @returns calls of `work` per second at this concurrency. */
export async function rateOf(
  concurrency: number,
  seconds: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let done = 0;
  const client = async (): Promise<void> => {
    for (; performance.now() < end; done += 1) await work();
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  return done / seconds;
}
