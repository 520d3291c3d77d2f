import type { components } from '../../core/api';
import { apiDay } from '../../core/days';

/** Whether a detailed address has been entered, is not needed, or is missing. */
export type Detailed = 'True' | 'False' | 'None';

export type ImageRecord = components['schemas']['Image'];

/** What the map and its list are limited to; what is missing means no limit. */
export interface Filters {
  /** Days in the format of date fields, by the time that images were taken. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly detailed: Detailed | undefined;
}

export const noFilters: Filters = { from: undefined, to: undefined, detailed: undefined };

/** The query of requests for tiles and clusters. */
export const mapQuery = ({ from, to, detailed }: Filters) => ({
  ...((from ?? to) !== undefined && { date_by: 'taken_at' as const }),
  ...(from && { from_date: apiDay(from) }),
  ...(to && { to_date: apiDay(to) }),
  ...(detailed && { has_det: detailed }),
});

/** The query of requests for lists. */
export const listQuery = ({ from, to, detailed }: Filters) => ({
  ...((from ?? to) !== undefined && { search_date_by: 'taken_at' as const }),
  ...(from && { start_date: apiDay(from) }),
  ...(to && { end_date: apiDay(to) }),
  ...(detailed && { has_det: detailed }),
});
