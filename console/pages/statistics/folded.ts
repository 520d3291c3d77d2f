import { counted } from './figures';
import type { DayStatistics } from './figures';

/** A day, or several neighbors on which nothing happened. */
export interface DayRow extends DayStatistics {
  /** For the latest of several days without anything: how many, and the earliest one. */
  readonly quiet?: { readonly days: number; readonly first: number; readonly open: boolean };
}

const isQuiet = ({ stats }: DayStatistics): boolean =>
  counted.every((figure) => stats[figure] === 0);

/**
 * The days, newest first. Neighbors without anything are one row, which says what was there at the
 * end of the latest.
 * @param opened the latest days of those that are shown one by one nevertheless.
 */
export function folded(
  days: readonly DayStatistics[],
  opened: ReadonlySet<number>,
): readonly DayRow[] {
  const rows: DayRow[] = [];
  let run: DayStatistics[] = [];
  const close = (): void => {
    rows.push(...rowsOf(run, opened));
    run = [];
  };
  for (const one of days.toReversed()) {
    if (isQuiet(one)) run.push(one);
    else {
      close();
      rows.push(one);
    }
  }
  close();
  return rows;
}

function rowsOf(run: readonly DayStatistics[], opened: ReadonlySet<number>): readonly DayRow[] {
  const [latest, ...others] = run;
  const earliest = others.at(-1);
  if (!latest || !earliest) return run;
  const open = opened.has(latest.date);
  const head = { ...latest, quiet: { days: run.length, first: earliest.date, open } };
  return open ? [head, ...others] : [head];
}
