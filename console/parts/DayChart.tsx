import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { day } from '../core/amounts';
import { language } from '../core/i18n';
import { colorOf, isDark } from '../core/theme';
import './day-chart.css';

export interface DayValue {
  /** YYYYMMDD. */
  readonly date: number;
  readonly value: number;
}

interface DayChartProps {
  /** What it shows, for screen readers: the figures themselves are in a table beside it. */
  readonly label: string;
  readonly days: readonly DayValue[];
  readonly format: (value: number) => string;
  /** Bars for counts of a day, a line for totals at its end. */
  readonly kind: 'bars' | 'line';
  /** Whether values are whole numbers, as then are the steps of the scale. */
  readonly whole?: boolean;
}

const height = 240;
const daySeconds = 86_400;

/** 1, 2, 5, 10, and so on. */
const wholeSteps = Array.from({ length: 10 }, (_, n) =>
  [1, 2, 5].map((step) => step * 10 ** n),
).flat();

/** Days are drawn as UTC days: the API has already applied the time zone. */
const secondOf = (date: number): number =>
  Date.UTC(Math.floor(date / 10_000), (Math.floor(date / 100) % 100) - 1, date % 100) / 1_000;

/** A value for each day. A separate module, loaded with the pages that have charts. */
export function DayChart({ label, days, format, kind, whole = false }: DayChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | null>(null);
  const dark = isDark();
  useEffect(() => {
    const node = place.current;
    if (!node) return undefined;
    const options = optionsOf({ kind, format, whole, width: node.clientWidth, onPoint: setAt });
    const data = [days.map(({ date }) => secondOf(date)), days.map(({ value }) => value)];
    const plot = new uPlot(options, data as unknown as uPlot.AlignedData, node);
    const observer = new ResizeObserver(() => plot.setSize({ width: node.clientWidth, height }));
    observer.observe(node);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [days, kind, format, whole, dark, language.value]);
  const pointed = at === null ? undefined : days[at];
  return (
    <figure class="day-chart">
      <div ref={place} role="img" aria-label={label} />
      <figcaption class="hint" aria-hidden="true">
        {pointed ? `${day(pointed.date)}: ${format(pointed.value)}` : label}
      </figcaption>
    </figure>
  );
}

interface Drawing extends Pick<DayChartProps, 'kind' | 'format'> {
  readonly whole: boolean;
  readonly width: number;
  readonly onPoint: (index: number | null) => void;
}

function optionsOf({ kind, format, whole, width, onPoint }: Drawing): uPlot.Options {
  const [accent, muted, line] = [colorOf('--accent'), colorOf('--muted'), colorOf('--line')];
  const font = '12px system-ui, sans-serif';
  const axis = { stroke: muted, font, grid: { stroke: line, width: 1 }, ticks: { show: false } };
  const short = new Intl.DateTimeFormat(language.value, {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  });
  return {
    width,
    height,
    legend: { show: false },
    tzDate: (second) => uPlot.tzDate(new Date(second * 1_000), 'Etc/UTC'),
    cursor: { y: false, drag: { x: false, y: false }, points: { show: kind === 'line' } },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    scales: {
      // Half a day more at both ends, for complete bars.
      x: { range: (_plot, first, last) => [first - daySeconds / 2, last + daySeconds / 2] },
      y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 70,
        size: 40,
        gap: 12,
        incrs: [1, 2, 7, 14, 28, 91, 182, 365].map((days) => days * daySeconds),
        values: (_plot, seconds) => seconds.map((second) => short.format(second * 1_000)),
      },
      {
        ...axis,
        size: whole ? 48 : 72,
        values: (_plot, values) => values.map(format),
        ...(whole && { incrs: wholeSteps }),
      },
    ],
    series: [
      {},
      {
        stroke: accent,
        width: kind === 'line' ? 2 : 0,
        fill: kind === 'line' ? colorOf('--accent-soft') : accent,
        points: { show: false },
        ...(kind === 'bars' &&
          uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.7, 40] }) }),
      },
    ],
  };
}
