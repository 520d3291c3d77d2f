import { type Growth, goalText } from './row.js';
import type { Result } from './rounds.js';
import { median } from './load.js';
import { figure } from './report.js';
import { smallImages } from './table.js';

/** How long a read of a user takes in tables of different sizes. */
export interface Series {
  readonly read: string;
  readonly goal: Result['goal'];
  /** Rows of the table and milliseconds, the smallest table first. */
  readonly points: readonly (readonly [rows: number, ms: number])[];
}

/** The results of this user; the smallest table provides the limits. */
export function seriesOf(results: readonly Result[], user: Growth['user']): Series[] {
  const its = results.filter(({ growth }) => growth?.user === user);
  const names = [...new Set(its.map(({ growth }) => growth?.read ?? ''))];
  return names.map((read) => {
    const measured = its.filter(({ growth }) => growth?.read === read);
    const points = measured
      .map(({ growth, ours }) => [growth?.rows ?? 0, ours] as const)
      .sort(([a], [b]) => a - b);
    const alone = median(measured.map(({ limit }) => limit));
    const goal = measured[0]?.goal ?? { atMost: 1 };
    return { read, goal, points: [[smallImages, alone] as const, ...points] };
  });
}

/** Milliseconds by the size of the table, and the worst ratio to the smallest. */
export function growthMarkdown(results: readonly Result[], user: Growth['user']): string {
  const series = seriesOf(results, user);
  const sizes = [...new Set(series.flatMap(({ points }) => points.map(([rows]) => rows)))];
  sizes.sort((a, b) => a - b);
  const heads = sizes.map((rows) => rows.toLocaleString('en'));
  const lines = series.map(({ read, goal, points }) => {
    const times = new Map(points);
    const cells = sizes.map((rows) => (times.has(rows) ? figure(times.get(rows) ?? 0) : ''));
    const worst = ratiosOf(results, { read, user }).toSorted((a, b) => b - a)[0] ?? NaN;
    const reached = 'atMost' in goal && worst <= goal.atMost ? '✓' : '✗';
    const ratio = `**${worst.toFixed(2)}**`;
    return `| ${[read, ...cells, ratio, `${goalText(goal)} ${reached}`].join(' | ')} |`;
  });
  return [
    `| Milliseconds in a table of | ${heads.join(' | ')} | Ratio | Goal |`,
    `|---${'|--:'.repeat(sizes.length + 2)}|`,
    ...lines,
    '',
  ].join('\n');
}

/** Medians of the rounds' own ratios for every table. */
const ratiosOf = (results: readonly Result[], of: Pick<Growth, 'read' | 'user'>): number[] =>
  results
    .filter(({ growth }) => growth?.read === of.read && growth.user === of.user)
    .map(({ ratio }) => ratio);
