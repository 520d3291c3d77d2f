import { invalidField, ServiceError } from '../../../base/errors/catalogue.js';
import { column, type Queryable } from '../../../database/sql.js';
import { isNarrow } from '../list/conditions.sql.js';
import { selectMatchingIds } from '../list/list.sql.js';
import type { Filter } from '../list/schemas.js';
import { offendersAmong } from '../update/image-updates.js';

/** The images of an archive or a ledger: those of a list, or those with these ids. */
export interface WantedImages {
  readonly userId: string;
  readonly filter: Filter;
  readonly ids?: readonly string[] | undefined;
}

/** Their ids, in order. @param limit of those that a list has. */
export const selectWanted = (
  db: Queryable,
  { userId, filter, ids }: WantedImages,
  limit: number,
): Promise<string[]> =>
  ids
    ? selectThere(db, userId, ids, filter.trash === true)
    : selectMatchingIds(db, userId, filter, limit);

/** Those of these ids that are images of the user, in their order. @param trashed whether also in the trash. */
const selectThere = (db: Queryable, userId: string, ids: readonly string[], trashed: boolean) =>
  column<string>(
    db,
    `SELECT i.id FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (id, position)
     JOIN images i USING (id) WHERE i.user_id = $1 AND ($3 OR i.deleted_at IS NULL)
     ORDER BY wanted.position`,
    [userId, ids, trashed],
  );

/** Offenders that an error names at most. */
const maxOffenders = 100;

/** @throws ServiceError `image_not_found`, `image_in_trash`; `invalid_field` for ids with filters. */
export async function assertThere(
  db: Queryable,
  { userId, filter, ids }: WantedImages,
): Promise<void> {
  if (!ids) return;
  if (isNarrow(filter)) throw invalidField('image_ids', 'given without filters');
  const offenders = (await offendersAmong(db, userId, ids)).filter(
    ({ code }) => code === 'image_not_found' || !filter.trash,
  );
  const [first] = offenders;
  if (!first) return;
  throw new ServiceError(first.code, {
    field: 'image_ids',
    details: { offenders: offenders.slice(0, maxOffenders) },
  });
}
