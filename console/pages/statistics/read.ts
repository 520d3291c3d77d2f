import { call } from '../../core/api';
import type { components } from '../../core/api';
import { apiDay } from '../../core/days';
import type { Session } from '../../core/session';
import type { DayStatistics, Statistics } from './figures';

/** Days in the format of date fields, both inclusive. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

export type PlatformFigures = components['schemas']['AllStatistics']['platforms'][number];

export interface Usage {
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
