import { seriesOf, type Series } from './growth-series.js';
import type { Result } from './rounds.js';
import { label, picture, shape } from './svg.js';

const plot = { left: 80, top: 60, width: 380, height: 420 } as const;
/** Width of the names to the right of a plot. */
const namesWidth = 280;
const lineHeight = 16;

const panels = [
  { user: 'largest', caption: 'The largest user: a tenth of the table, 10,000 at least' },
  { user: 'small', caption: 'A user of 10,000 images' },
] as const;

/** Milliseconds of each read by the size of the table, both logarithmic, side by side for two users. */
export function growthChart(results: readonly Result[]): string {
  const all = panels.map(({ user }) => seriesOf(results, user));
  const axes = new Axes(all.flat());
  const parts = panels.flatMap(({ caption }, i) => [
    `<g transform="translate(${i * (plot.left + plot.width + namesWidth)} 0)">`,
    label(plot.left, plot.top - 16, caption),
    ...axes.grid(),
    ...lines(all[i] ?? [], axes),
    '</g>',
  ]);
  const width = panels.length * (plot.left + plot.width + namesWidth);
  const size = { width, height: plot.top + plot.height + 50 };
  return picture(size, 'Milliseconds of a read by the rows of the table', parts);
}

const powersOfTen = (from: number, to: number): number[] => {
  const [first, last] = [Math.floor(Math.log10(from)), Math.ceil(Math.log10(to))];
  return Array.from({ length: Math.max(last, first + 1) - first + 1 }, (_, i) => 10 ** (first + i));
};

class Axes {
  readonly #rows: readonly number[];
  readonly #times: readonly number[];

  constructor(series: readonly Series[]) {
    const points = series.flatMap((one) => one.points);
    const [rows, times] = [points.map(([x]) => x), points.map(([, y]) => y)];
    this.#rows = powersOfTen(Math.min(...rows), Math.max(...rows));
    this.#times = powersOfTen(Math.min(...times), Math.max(...times));
  }

  x(rows: number): number {
    return plot.left + plot.width * share(rows, this.#rows);
  }

  y(ms: number): number {
    return plot.top + plot.height * (1 - share(ms, this.#times));
  }

  grid(): string[] {
    const bottom = plot.top + plot.height;
    const right = plot.left + plot.width;
    const line = { stroke: '#ddd' };
    return [
      ...this.#rows.flatMap((rows) => [
        shape('line', { x1: this.x(rows), x2: this.x(rows), y1: plot.top, y2: bottom, ...line }),
        label(this.x(rows), bottom + 20, inShort(rows), { 'text-anchor': 'middle' }),
      ]),
      ...this.#times.flatMap((ms) => [
        shape('line', { x1: plot.left, x2: right, y1: this.y(ms), y2: this.y(ms), ...line }),
        label(plot.left - 8, this.y(ms) + 4, `${ms} ms`, { 'text-anchor': 'end' }),
      ]),
    ];
  }
}

/** The position of a value between the first and the last power of ten, as a fraction. */
const share = (value: number, powers: readonly number[]): number => {
  const [first, last] = [Math.log10(powers[0] ?? 1), Math.log10(powers.at(-1) ?? 10)];
  return (Math.log10(value) - first) / (last - first);
};

const inShort = (rows: number): string =>
  rows >= 1e6 ? `${rows / 1e6} M` : rows >= 1e3 ? `${rows / 1e3} k` : String(rows);

/** Sorts series by their last value, slowest first, and spaces the names to stay readable. */
function lines(series: readonly Series[], axes: Axes): string[] {
  const last = ({ points }: Series): number => points.at(-1)?.[1] ?? 1;
  const edge = plot.left + plot.width;
  let free = plot.top;
  return series
    .toSorted((a, b) => last(b) - last(a))
    .flatMap((one, i) => {
      const colour = `hsl(${Math.round((i * 360) / series.length)} 65% ${i % 2 ? 32 : 48}%)`;
      const at = one.points.map(([rows, ms]) => ({ x: axes.x(rows), y: axes.y(ms) }));
      const end = at.at(-1) ?? { x: 0, y: 0 };
      const y = Math.max(end.y + 4, free);
      free = y + lineHeight;
      return [
        shape('polyline', {
          points: at.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' '),
          fill: 'none',
          stroke: colour,
          'stroke-width': 2,
        }),
        ...at.map(({ x, y }) => shape('circle', { cx: x, cy: y, r: 3, fill: colour })),
        shape('line', { x1: end.x + 4, y1: end.y, x2: edge + 18, y2: y - 4, stroke: colour }),
        label(edge + 22, y, `${one.read}: ${last(one).toFixed(1)}`, { fill: colour }),
      ];
    });
}
