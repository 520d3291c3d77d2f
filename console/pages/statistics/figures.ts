import { size, wholeNumber } from '../../core/amounts';
import { call } from '../../core/api';
import type { components } from '../../core/api';
import { apiDay } from '../../core/days';
import type { Session } from '../../core/session';

export type Statistics = components['schemas']['Statistics'];
export type DayStatistics = components['schemas']['DayStatistics'];
export type Figure = keyof Statistics;

/** What was counted on a day, or since the beginning. */
export const counted = [
  'total_upload',
  'upload_camera',
  'upload_gallery',
  'upload_request',
  'edit_count',
  'delete_count',
] as const satisfies readonly Figure[];

/** What was there at the end of a day, or is there now. */
export const states = [
  'total_images',
  'total_filesize_mb',
  'org_filesize_mb',
  'org_latest_filesize_mb',
] as const satisfies readonly Figure[];

export const figures = [...counted, ...states];

export const isCounted = (figure: Figure): boolean => counted.some((each) => each === figure);

/** In megabytes. */
export const isSize = (figure: Figure): boolean => figure.endsWith('_mb');

/** A value in the format of the reader's language. */
export const formatOf = (figure: Figure): ((value: number) => string) =>
  isSize(figure) ? size : wholeNumber;

/** Days in the format of date fields, both inclusive. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

export type PlatformFigures = components['schemas']['AllStatistics']['platforms'][number];

interface Usage {
  readonly days: readonly DayStatistics[];
  /** Since the beginning, and now. */
  readonly total: Statistics;
  /** For each platform in the range, for administrators. */
  readonly platforms: readonly PlatformFigures[];
}

/**
 * What the token may see: its platform's usage, or that of all platforms.
 * @param only the platform that an administrator has chosen; empty for all of them.
 */
export async function readUsage(
  { platformId }: Session,
  { from, to }: Range,
  only: string,
  signal: AbortSignal,
): Promise<Usage> {
  const query = { start_date: apiDay(from), end_date: apiDay(to) };
  if (platformId === undefined) {
    const params = { query: { ...query, ...(only && { platform_id: only }) } };
    return call((client) => client.GET('/api/v1/statistics', { params, signal }));
  }
  const path = { platform_id: platformId };
  const [days, total] = await Promise.all([
    call((client) =>
      client.GET('/api/v2/platforms/{platform_id}/stats', { params: { path, query }, signal }),
    ),
    call((client) =>
      client.GET('/api/v2/platforms/{platform_id}/stats/total', { params: { path }, signal }),
    ),
  ]);
  return { days, total, platforms: [] };
}
