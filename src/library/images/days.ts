import { createHash } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import { parameters, type Queryable, rows, value } from '../../database/sql.js';
import { success } from '../../http/envelope.js';
import { VersionedResponse } from '../../http/ranged-response.js';
import { where } from './list/conditions.sql.js';
import { type Filter, filterQuery } from './list/schemas.js';
import { type ListTime, timeOf } from './page.sql.js';
import { listTime, takenAtMeans } from './schemas.js';

export const daysQuery = (clock: WallClock) =>
  filterQuery(clock).extend({
    sort_by: listTime
      .default('created_at')
      .meta({ description: `the time whose days are counted; ${takenAtMeans}` }),
  });

export const countedDays = z
  .object({
    days: z.array(
      z
        .object({ date: z.int().meta({ description: 'YYYYMMDD' }), count: z.int() })
        .meta({ id: 'CountedDay' }),
    ),
    total_count: z.int(),
  })
  .meta({ id: 'CountedDays' });
type CountedDays = z.output<typeof countedDays>;

interface Owner {
  readonly userId: string;
  /** The platform that the user must belong to. */
  readonly platformId: string | undefined;
}

/** The days of lists, each with the number of its images: the layout of a list before its pictures. */
export class DayCounts {
  constructor(
    private readonly db: Queryable,
    private readonly clock: WallClock,
  ) {}

  /** The number of the user's latest change. @throws ServiceError `user_not_found`. */
  async version({ userId, platformId }: Owner): Promise<string> {
    const found =
      isUuid(userId) &&
      (await value<string>(
        this.db,
        `SELECT change_seq::text AS version FROM users
         WHERE id = $1 AND ($2::uuid IS NULL OR platform_id = $2)`,
        [userId, platformId ?? null],
      ));
    if (!found) throw new ServiceError('user_not_found');
    return found;
  }

  /** @param version read before the days: older than they are, it is merely asked for once more. */
  of(userId: string, version: string, time: ListTime, filter: Filter): VersionedResponse {
    const asked = JSON.stringify([version, time, filter, this.clock.zoneName]);
    const etag = createHash('sha256').update(asked).digest('base64url').slice(0, 22);
    return new VersionedResponse(`"${etag}"`, async () => {
      const days = await this.#days(userId, time, filter);
      const total = days.reduce((sum, { count }) => sum + count, 0);
      const result: CountedDays = { days, total_count: total };
      return Buffer.from(JSON.stringify(success(result)));
    });
  }

  #days(userId: string, time: ListTime, filter: Filter): Promise<CountedDays['days']> {
    const { values, bind } = parameters(userId);
    const zone = bind(this.clock.zoneName);
    return rows(
      this.db,
      `SELECT to_char(day, 'YYYYMMDD')::int AS date, count
       FROM (
         SELECT (${timeOf(time)} AT TIME ZONE ${zone}::text)::date AS day, count(*)::int AS count
         FROM images i WHERE ${where(filter, bind)} GROUP BY 1
       ) AS counted
       ORDER BY day DESC`,
      values,
    );
  }
}
