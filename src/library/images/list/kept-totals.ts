import type { KeptStates } from '../totals/totals.sql.js';
import type { Filter } from './filter.js';

/**
 * The states for which totals are kept and which a filter covers exactly; undefined if its matches
 * have to be counted.
 */
export function keptStates({ trash, det, search, periods, near }: Filter): KeptStates | undefined {
  if (search || periods.length > 0 || near?.radius !== undefined) return undefined;
  return { trash, ...(det !== undefined && { det }), ...(near && { located: true }) };
}
