import { goalText } from './row.js';
import type { Result } from './rounds.js';
import { label, picture, shape } from './svg.js';

export const figure = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/** The results as a table. */
export function markdown(results: readonly Result[]): string {
  const lines = results.map(({ title, limitTitle, unit, goal, ...its }) => {
    const range = `${its.lowest.toFixed(2)} to ${its.highest.toFixed(2)}`;
    const cells = [
      title,
      `${figure(its.ours)} ${unit}`,
      limitTitle,
      `${figure(its.limit)} ${unit}`,
      `**${its.ratio.toFixed(2)}** (${range})`,
      `${goalText(goal)} ${its.reached ? '✓' : '✗'}`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| What | imgstore | Beside it | | Ratio | Goal |',
    '|---|--:|---|--:|--:|--:|',
    ...lines,
    '',
  ].join('\n');
}

const barHeight = 22;
const gap = 14;
const labelWidth = 330;
const barWidth = 360;

/** The ratios as bars, each with its goal as a tick; a bar beyond the edge shows only its figure. */
export function chart(results: readonly Result[], caption: string): string {
  const furthest = Math.max(...results.flatMap(({ ratio, goal }) => [ratio, goalOf(goal)]));
  const scale = barWidth / Math.min(furthest * 1.1, 5);
  const size = {
    width: labelWidth + barWidth + 80,
    height: 40 + results.length * (barHeight + gap),
  };
  const bars = results.flatMap((result, i) => bar(result, 40 + i * (barHeight + gap), scale));
  return picture(size, caption, bars);
}

const goalOf = (goal: Result['goal']): number => ('atLeast' in goal ? goal.atLeast : goal.atMost);

function bar({ title, ratio, goal, reached }: Result, y: number, scale: number): string[] {
  const width = Math.min(ratio * scale, barWidth);
  const tick = labelWidth + Math.min(goalOf(goal) * scale, barWidth);
  const middle = y + barHeight / 2 + 4;
  const fill = reached ? '#3a7d44' : '#c0762c';
  const [top, bottom] = [y - 3, y + barHeight + 3];
  return [
    label(labelWidth - 8, middle, title, { 'text-anchor': 'end' }),
    shape('rect', { x: labelWidth, y, width, height: barHeight, fill }),
    shape('line', { x1: tick, x2: tick, y1: top, y2: bottom, stroke: '#222', 'stroke-width': 2 }),
    label(labelWidth + width + 6, middle, ratio.toFixed(2)),
  ];
}
