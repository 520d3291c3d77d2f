// Days of the service's calendar, as date fields of a browser have them: `2025-01-31`.

const dayMs = 86_400_000;

/** Today in a time zone. */
export const todayIn = (zone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(new Date());

export const shiftDay = (day: string, by: number): string =>
  new Date(Date.parse(day) + by * dayMs).toISOString().slice(0, 10);

/** The number of days from one day to another, excluding the second one. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs);

/** In the format of the API: `20250131`. */
export const apiDay = (day: string): string => day.replaceAll('-', '');

/** From a day or a time in the format of the API. */
export const dayOfStamp = (stamp: string | number): string =>
  String(stamp).replace(/^(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3');
