/** Spans of time in milliseconds, as timers and dates count them. */
export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A megabyte in the API and in settings. */
export const bytesPerMegabyte = 1024 * 1024;

/** Bytes as represented in the API: megabytes, rounded to 6 decimals. */
export const toMegabytes = (bytes: number): number =>
  Math.round((bytes / bytesPerMegabyte) * 1e6) / 1e6;

/** Megabytes in whole bytes. */
export const toBytes = (megabytes: number): number => Math.round(megabytes * bytesPerMegabyte);

/** A count with its noun: `1 user`, `2 users`. */
export const counted = (n: number, noun: string, plural = `${noun}s`): string =>
  `${n.toLocaleString('en')} ${n === 1 ? noun : plural}`;

const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** Bytes in the unit that keeps them short: `3.4 GB`. Units are binary: 1 KB is 1,024 bytes. */
export function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10);
  const index = Math.min(power, units.length - 1);
  const amount = bytes / 1024 ** index;
  // 1,023.96 MB would be shown as 1,024.
  const rounded = Number(amount.toFixed(index === 0 || amount >= 100 ? 0 : 1));
  if (rounded === 1024 && index < units.length - 1) return `1 ${units[index + 1]}`;
  return `${rounded.toLocaleString('en')} ${index === 0 && rounded === 1 ? 'byte' : units[index]}`;
}

const spans = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A span of time in its two largest units: `3 days 4 hours`. */
export function spanText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const first = spans.findIndex(([, size]) => whole >= size);
  if (first === -1) return 'less than a second';
  const parts = spans.slice(first, first + 2).map(([noun, size], index) => {
    const rest = index === 0 ? whole : whole % (spans[first]?.[1] ?? 1);
    return [Math.floor(rest / size), noun] as const;
  });
  return parts
    .filter(([n]) => n > 0)
    .map(([n, noun]) => counted(n, noun))
    .join(' ');
}

/** How long ago an instant was, given as ISO 8601. */
export const agoText = (instant: string): string =>
  `${spanText((Date.now() - Date.parse(instant)) / secondMs)} ago`;
