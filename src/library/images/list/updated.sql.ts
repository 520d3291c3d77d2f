import type { Bind } from '../../../database/sql.js';
import type { PagePosition } from '../../../http/paging/page-cursors.js';
import { newestFirst, olderThan } from '../page.sql.js';
import type { PageSql } from '../page.sql.js';

const reach = {
  /**
   * Images that are scanned first: the newest ones are most often also the most recently updated.
   */
  near: 400,
  /**
   * Maximum number of images updated in the period that are sorted; if there are more, a scan finds
   * a page soon.
   */
  most: 100_000,
};

/** Conditions on images `i`. */
interface UpdatedSql {
  readonly updated: string;
  /** The others. */
  readonly where: string;
}

/**
 * The ids of a page of images that were updated in a period, newest first. The planner would assume
 * that these are spread evenly over the list and scan it; for a period long ago, that takes
 * hundreds of thousands of images.
 */
export function updatedPage(
  { updated, where }: UpdatedSql,
  start: PagePosition,
  limit: number,
  bind: Bind,
  { near, most } = reach,
): Required<Pick<PageSql, 'before' | 'ids'>> {
  const listed = `${where} ${olderThan(start, bind)}`;
  const page = `ORDER BY ${newestFirst} OFFSET ${bind(start.offset)} LIMIT ${limit}`;
  return {
    before: [
      `nearby AS MATERIALIZED (
         SELECT i.id, i.created_at FROM (
           SELECT i.id, i.created_at, i.updated_at FROM images i
           WHERE ${listed} ORDER BY ${newestFirst} LIMIT ${near}
         ) AS i
         WHERE ${updated} ${page})`,
      `counted AS MATERIALIZED (SELECT count(*) = ${limit} AS is_whole FROM nearby)`,
      `match AS MATERIALIZED (
         SELECT i.id, i.created_at FROM images i
         WHERE NOT (SELECT is_whole FROM counted) AND ${listed} AND ${updated} LIMIT ${most + 1})`,
      `matches AS MATERIALIZED (SELECT count(*) > ${most} AS too_many FROM match)`,
    ],
    ids: `
      SELECT i.id FROM (
        SELECT i.id, i.created_at FROM nearby i WHERE (SELECT is_whole FROM counted)
        UNION ALL
        (SELECT i.id, i.created_at FROM match i WHERE NOT (SELECT too_many FROM matches) ${page})
        UNION ALL
        (SELECT i.id, i.created_at FROM images i
         WHERE (SELECT too_many FROM matches) AND ${listed} AND ${updated} ${page})
      ) AS i
      ORDER BY ${newestFirst}`,
  };
}
