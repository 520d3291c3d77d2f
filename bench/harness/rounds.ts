import { median } from './load.js';
import { reaches, type Bench, type Row } from './row.js';

export interface Result {
  readonly name: string;
  readonly title: string;
  readonly limitTitle: string;
  readonly unit: Row['unit'];
  readonly goal: Row['goal'];
  readonly growth?: Row['growth'];
  readonly peer?: Row['peer'];
  /** Medians of the rounds. */
  readonly ours: number;
  readonly limit: number;
  /** Median of the rounds' own ratios: a disturbance affects both sides of a round. */
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
  readonly reached: boolean;
}

/** Measures both sides of a row alternately, after a warm-up round. */
export async function measure(row: Row, bench: Bench, rounds: number): Promise<Result> {
  const { name, title, limit: limitTitle, unit, goal, growth, peer } = row;
  const sides = await row.open(bench);
  try {
    await sides.ours();
    await sides.limit();
    const ours: number[] = [];
    const limit: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await sides.ours());
      limit.push(await sides.limit());
    }
    const ratios = ours.map((value, round) => value / (limit[round] ?? NaN));
    const ratio = median(ratios);
    return {
      name,
      title,
      limitTitle,
      unit,
      goal,
      ...(growth && { growth }),
      ...(peer && { peer }),
      ours: median(ours),
      limit: median(limit),
      ratio,
      lowest: Math.min(...ratios),
      highest: Math.max(...ratios),
      reached: reaches(ratio, goal),
    };
  } finally {
    await sides.close?.();
  }
}
