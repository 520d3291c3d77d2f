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
