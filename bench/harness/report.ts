import { goalText } from './row.js';
import type { Result } from './rounds.js';

const figure = (value: number): string =>
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

const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** The ratios as bars, each with its goal as a tick; a bar beyond the edge has its figure only. */
export function chart(results: readonly Result[], caption: string): string {
  const furthest = Math.max(...results.flatMap(({ ratio, goal }) => [ratio, goalOf(goal)]));
  const scale = barWidth / Math.min(furthest * 1.1, 5);
  const height = 40 + results.length * (barHeight + gap);
  const bars = results.map((result, i) => bar(result, 40 + i * (barHeight + gap), scale));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${labelWidth + barWidth + 80} ${height}" font-family="sans-serif" font-size="13">`,
    `<text x="0" y="18" font-size="15" font-weight="bold">${escaped(caption)}</text>`,
    ...bars,
    '</svg>',
    '',
  ].join('\n');
}

const goalOf = (goal: Result['goal']): number => ('atLeast' in goal ? goal.atLeast : goal.atMost);

function bar({ title, ratio, goal, reached }: Result, y: number, scale: number): string {
  const width = Math.min(ratio * scale, barWidth);
  const tick = labelWidth + Math.min(goalOf(goal) * scale, barWidth);
  const middle = y + barHeight / 2 + 4;
  return [
    `<text x="${labelWidth - 8}" y="${middle}" text-anchor="end">${escaped(title)}</text>`,
    `<rect x="${labelWidth}" y="${y}" width="${width.toFixed(1)}" height="${barHeight}" fill="${reached ? '#3a7d44' : '#c0762c'}"/>`,
    `<line x1="${tick.toFixed(1)}" x2="${tick.toFixed(1)}" y1="${y - 3}" y2="${y + barHeight + 3}" stroke="#222" stroke-width="2"/>`,
    `<text x="${(labelWidth + width + 6).toFixed(1)}" y="${middle}">${ratio.toFixed(2)}</text>`,
  ].join('\n');
}
