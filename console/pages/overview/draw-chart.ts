import type { Options } from 'uplot';
import { number, language } from '../../core/i18n';
import { colorOf } from '../../core/theme';
import type { Status } from './card';

const height = 220;
const daySeconds = 86_400;

/** YYYYMMDD to seconds since 1970. */
function secondsOf(date: number): number {
  const [year, month, day] = [Math.floor(date / 10_000), Math.floor(date / 100) % 100, date % 100];
  return Date.UTC(year, month - 1, day) / 1_000;
}

/** Draws bars into an element. @returns a function that removes them. */
export function drawChart(place: HTMLElement, days: Status['days']): () => void {
  let remove = (): void => undefined;
  let gone = false;
  void import('./uplot').then(({ uPlot }) => {
    if (gone) return;
    const data = [days.map(({ date }) => secondsOf(date)), days.map(({ uploads }) => uploads)];
    const bars = uPlot.paths.bars?.({ size: [0.7, 40], radius: 0.2 });
    const chart = new uPlot(
      {
        ...optionsOf(place.clientWidth),
        series: [{}, { ...seriesOf(), ...(bars && { paths: bars }) }],
      },
      data as [number[], number[]],
      place,
    );
    const observer = new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height }));
    observer.observe(place);
    remove = () => {
      observer.disconnect();
      chart.destroy();
    };
  });
  return () => {
    gone = true;
    remove();
  };
}

const seriesOf = () => ({
  fill: colorOf('--accent'),
  stroke: colorOf('--accent'),
  width: 0,
  points: { show: false },
});

function optionsOf(width: number): Omit<Options, 'series'> {
  const [text, line] = [colorOf('--muted'), colorOf('--line')];
  const month = new Intl.DateTimeFormat(language.value, {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  });
  const axis = {
    stroke: text,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      // Half a day more at either end, so that the first and the last bar are complete.
      x: { time: false, range: (_chart, min, max) => [min - daySeconds / 2, max + daySeconds / 2] },
      y: { range: (_chart, _min, max) => [0, Math.max(5, max * 1.1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        values: (_chart, ticks) => ticks.map((at) => month.format(new Date(at * 1_000))),
        incrs: [1, 2, 5, 10].map((days) => days * daySeconds),
      },
      {
        ...axis,
        size: 56,
        values: (_chart, ticks) => ticks.map((n) => (Number.isInteger(n) ? number(n) : '')),
      },
    ],
  };
}
