import { columnName, propertiesOf, type Columns, namesOf } from '../../../database/columns.js';
import { column, rows, type Queryable } from '../../../database/sql.js';
import { cameraColumns } from '../entity.js';
import { assignable, restoredFolder, stateOnLeaving, touched, trashed } from './update.sql.js';

// Changes of many images in one statement each, however different they are.

/** What is set on an image. */
export interface Patch {
  /** Values of columns by their names, as JSON; those that are absent stay. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly trashed: boolean | undefined;
  /** Seconds to add to the time when it was taken. */
  readonly shift: number | undefined;
}

/** Images with the places of their values in a list, since many have the same. */
interface Places {
  readonly ids: readonly string[];
  readonly places: readonly number[];
}

const fromJson = ({ type }: Columns[string], name: string): string =>
  type === 'geography'
    ? `ST_GeomFromGeoJSON(c.given->>'${name}')::geography`
    : `(c.given->>'${name}')::${String(type)}`;

type Next = readonly [column: string, sql: string];

/** The columns that any of the patches changes, with what they become of images `i` by changes `c`. */
function nextOf(patches: readonly Patch[]): Next[] {
  const given = new Set(patches.flatMap((patch) => Object.keys(patch.given)));
  const sets = propertiesOf(assignable).flatMap((property): Next[] => {
    const name = columnName(assignable, property);
    if (!given.has(name) || name === 'folder_id') return [];
    const value = fromJson(assignable[property], name);
    return [[name, `CASE WHEN c.given ? '${name}' THEN ${value} ELSE i.${name} END`]];
  });
  const moves = given.has('folder_id');
  const restores = patches.some((patch) => patch.trashed === false);
  const trashes = patches.some((patch) => patch.trashed !== undefined);
  if (trashes || moves) sets.push(...states());
  if (moves || restores) {
    const [, restored] = restoredFolder;
    const value = `CASE WHEN c.given ? 'folder_id' THEN (c.given->>'folder_id')::uuid
      WHEN NOT c.trashed THEN ${restored} ELSE i.folder_id END`;
    sets.push(['folder_id', value]);
  }
  if (patches.some(({ shift }) => shift !== undefined)) {
    sets.push(['taken_at', 'i.taken_at + make_interval(secs => coalesce(c.shift, 0))']);
  }
  if (namesOf(cameraColumns).some((name) => given.has(name))) {
    // What a client says of these is final, as of a single change.
    const rest = 'ARRAY(SELECT f FROM unnest(i.unread_fields) AS f WHERE NOT c.given ? f)';
    sets.push(['unread_fields', `CASE WHEN i.unread_fields IS NOT NULL THEN ${rest} END`]);
  }
  return sets;
}

const states = (): Next[] =>
  trashed(true).map(([name, into], n) => [
    name,
    `CASE WHEN c.trashed THEN ${into} WHEN NOT c.trashed THEN NULL
       WHEN c.given ? 'folder_id' THEN ${stateOnLeaving[n]?.[1]} ELSE i.${name} END`,
  ]);

/** Changes the user's images, whose lock the caller has. @returns the ids of those that differ now. */
export async function patchImages(
  tx: Queryable,
  userId: string,
  { ids, places }: Places,
  patches: readonly Patch[],
): Promise<string[]> {
  const next = nextOf(patches);
  if (next.length === 0) return [];
  const columnsOf = (alias: string): string => next.map(([name]) => `${alias}.${name}`).join(', ');
  return column(
    tx,
    `WITH change AS MATERIALIZED (
       SELECT w.id, p.value->'given' AS given, (p.value->>'trashed')::boolean AS trashed,
              (p.value->>'shift')::integer AS shift
       FROM unnest($2::uuid[], $3::integer[]) AS w (id, place)
       JOIN jsonb_array_elements($4::jsonb) WITH ORDINALITY AS p (value, place) ON p.place = w.place + 1
     ), next AS MATERIALIZED (
       SELECT i.id, ${next.map(([name, sql]) => `${sql} AS ${name}`).join(', ')}
       FROM change c JOIN images i ON i.id = c.id AND i.user_id = $1
     )
     UPDATE images i SET ${next.map(([name]) => `${name} = n.${name}`).join(', ')}, ${touched}
     FROM next n
     WHERE i.id = n.id AND i.user_id = $1 AND ROW(${columnsOf('i')}) IS DISTINCT FROM ROW(${columnsOf('n')})
     RETURNING i.id`,
    [userId, ids, places, JSON.stringify(patches)],
  );
}

/** A folder that images are moved to, as far as the user has it. */
export const selectFolderStates = (tx: Queryable, userId: string, ids: readonly string[]) =>
  rows<{ id: string; trashed: boolean }>(
    tx,
    `SELECT id, deleted_at IS NOT NULL AS trashed FROM folders
     WHERE user_id = $1 AND id = ANY ($2::uuid[]) AND deleting_at IS NULL`,
    [userId, ids],
  );
