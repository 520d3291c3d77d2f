// Days of the service's calendar, as date fields of a browser have them: `2025-01-31`.

const dayMs = 86_400_000;

/** The day that it is in a time zone. */
export const todayIn = (zone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(new Date());

export const shiftDay = (day: string, by: number): string =>
  new Date(Date.parse(day) + by * dayMs).toISOString().slice(0, 10);

/** How many days there are from one to another, the second one not counted. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs);

/** As the API has it: `20250131`. */
export const apiDay = (day: string): string => day.replaceAll('-', '');

/** From what the API has: a day, or a time of it. */
export const dayOfStamp = (stamp: string | number): string =>
  String(stamp).replace(/^(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3');
