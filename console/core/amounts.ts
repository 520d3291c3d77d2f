import { language, number, t } from './i18n';

/** A whole number; takes nothing else, so that it can be passed to `map`. */
export const wholeNumber = (value: number): string => number(value);

/** A size that the API gives in megabytes of 1,048,576 bytes. */
export function size(megabytes: number): string {
  if (megabytes >= 1_048_576) return t('size.tb', { n: number(megabytes / 1_048_576, 2) });
  if (megabytes >= 1_024) return t('size.gb', { n: number(megabytes / 1_024, 1) });
  if (megabytes >= 1 || megabytes === 0) return t('size.mb', { n: number(megabytes, 1) });
  return t('size.kb', { n: number(megabytes * 1_024, 0) });
}

/** `20250131_093015` or `20250131`, which the API gives in the time zone of the service. */
function parsed(stamp: string): Date {
  const [, y, m, d, h = '0', min = '0', s = '0'] =
    /^(\d{4})(\d\d)(\d\d)(?:_(\d\d)(\d\d)(\d\d))?/.exec(stamp) ?? [];
  return new Date(Date.UTC(Number(y), Number(m) - 1, Number(d), Number(h), Number(min), Number(s)));
}

/** Korean dates and times have blanks inside, at which a line must not end. */
const format = (date: Date, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(language.value, options)
    .format(date)
    .replaceAll(/(\d\.|오[전후]) (?=\d)/g, '$1\u00a0');

/** A time of the API, in the time zone of the service. */
export const time = (stamp: string): string =>
  format(parsed(stamp), { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** A day of the API. */
export const day = (stamp: string | number): string =>
  format(parsed(String(stamp)), { dateStyle: 'medium', timeZone: 'UTC' });

/** A day of the API, with its day of the week; its year goes without saying if it is that of `now`. */
export const weekday = (stamp: string, now?: Date): string =>
  format(parsed(stamp), {
    weekday: 'short',
    year: now && Number(stamp.slice(0, 4)) === now.getFullYear() ? undefined : 'numeric',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  });

/** The month of a day of the API. */
export const month = (stamp: string): string =>
  format(parsed(stamp), { year: 'numeric', month: 'short', timeZone: 'UTC' });

/** From one day of the API to another; over years, from month to month. */
export function days(from: string, to: string): string {
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  const form = new Intl.DateTimeFormat(language.value, {
    year: 'numeric',
    month: 'short',
    day: isOneYear ? 'numeric' : undefined,
    timeZone: 'UTC',
  });
  return form.formatRange(parsed(from), parsed(to));
}

/** Seconds from one time of the API to another. */
export const secondsBetween = (from: string, to: string): number =>
  (parsed(to).getTime() - parsed(from).getTime()) / 1_000;

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago a time of the API was, as of another one. */
export function ago(stamp: string, now: string): string {
  const seconds = secondsBetween(stamp, now);
  const [unit, of] = units.find(([, least]) => seconds >= least) ?? ['second', 1];
  const relative = new Intl.RelativeTimeFormat(language.value, { numeric: 'auto' });
  return relative.format(-Math.floor(seconds / of), unit);
}

/** How long something lasts, in its largest unit. */
export function span(seconds: number): string {
  const [unit, of] = units.find(([, least]) => seconds >= least) ?? ['second', 1];
  const count = Math.floor(seconds / of);
  return new Intl.NumberFormat(language.value, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
  }).format(count);
}
