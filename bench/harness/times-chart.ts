import { label, picture, shape } from './svg.js';

/** CPU time of one operation, such as an upload. */
export interface Times {
  readonly name: string;
  readonly title: string;
  /** Milliseconds by part of the work. */
  readonly spent: Readonly<Record<string, number>>;
}

const barHeight = 46;
const gap = 54;
const left = 150;
const barWidth = 620;
const colours = [
  '#4c78a8',
  '#f58518',
  '#54a24b',
  '#e45756',
  '#72b7b2',
  '#eeca3b',
  '#b279a2',
].concat(
  '#9d755d',
  '#bab0ac',
  '#d67195',
  '#7f9f5f',
  '#5f6f9f',
  '#9f5f5f',
  '#5f9f9f',
  '#888',
  '#c8a',
);
/** Parts smaller than this share of their bar have no text on them. */
const readable = 0.06;

/** One bar for each operation, with parts in order of first appearance, and a legend below. */
export function timesChart(times: readonly Times[]): string {
  const kinds = [...new Set(times.flatMap(({ spent }) => Object.keys(spent)))];
  const colourOf = new Map(kinds.map((kind, i) => [kind, colours[i % colours.length] ?? '#888']));
  const bars = times.flatMap((one, i) => bar(one, 50 + i * (barHeight + gap), colourOf));
  const below = 50 + times.length * (barHeight + gap);
  const legend = kinds.flatMap((kind, i) => {
    const [x, y] = [left + (i % 3) * 230, below + Math.floor(i / 3) * 22];
    const box = { x, y: y - 11, width: 13, height: 13, fill: colourOf.get(kind) ?? '#888' };
    return [shape('rect', box), label(x + 20, y, kind)];
  });
  const size = {
    width: left + barWidth + 80,
    height: below + Math.ceil(kinds.length / 3) * 22 + 10,
  };
  return picture(size, 'Where the time goes: CPU time of one, all processes', [...bars, ...legend]);
}

function bar({ title, spent }: Times, y: number, colourOf: ReadonlyMap<string, string>): string[] {
  const total = Object.values(spent).reduce((sum, ms) => sum + ms, 0);
  let x = left;
  const parts = Object.entries(spent).flatMap(([kind, ms]) => {
    const width = (ms / total) * barWidth;
    const box = { x, y, width, height: barHeight, fill: colourOf.get(kind) ?? '#888' };
    const middle = x + width / 2;
    x += width;
    const shown = ms / total >= readable;
    const text = { 'text-anchor': 'middle', fill: '#fff' };
    return [shape('rect', box), ...(shown ? [label(middle, y + 28, inMs(ms), text)] : [])];
  });
  const heading = label(left - 12, y + 20, title, { 'text-anchor': 'end', 'font-weight': 'bold' });
  return [
    heading,
    label(left - 12, y + 38, `${inMs(total)} ms`, { 'text-anchor': 'end' }),
    ...parts,
  ];
}

const inMs = (ms: number): string =>
  ms >= 10 ? ms.toFixed(0) : ms >= 1 ? ms.toFixed(1) : ms.toFixed(2);
