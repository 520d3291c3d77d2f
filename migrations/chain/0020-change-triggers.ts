import { actions, things } from './0020-change-posting.js';

// What the triggers tell the change feed of each table. A plan made for one row has to do for many:
// nothing joins two transition tables, as in migration 14.

/** Whether any of these columns of two rows differ. */
const differ = (...columns: readonly string[]): string => {
  const of = (row: string): string => columns.map((column) => `${row}.${column}`).join(', ');
  return `(${of('was')}) IS DISTINCT FROM (${of('now')})`;
};

/** The cases of moving to the trash and restoring. */
const trashing = `
      WHEN was.deleted_at IS NULL AND now.deleted_at IS NOT NULL THEN ${actions.trashed}
      WHEN was.deleted_at IS NOT NULL AND now.deleted_at IS NULL THEN ${actions.restored}`;

export interface Told {
  readonly table: string;
  readonly thing: keyof typeof things;
  /** The image of a row. */
  readonly image: string;
  /** Cases of what an update did, of the rows `was` and `now`. */
  readonly updates: string;
  /** Of which rows `r` it is told that they were made or deleted. */
  readonly insertedIf?: string;
  readonly deletedIf?: string;
}

const annotation = {
  image: 'image_id',
  // What comes or goes with its image is not told.
  insertedIf: 'NOT EXISTS (SELECT FROM images i WHERE i.id = r.image_id AND i.uploaded_at = now())',
  deletedIf: 'EXISTS (SELECT FROM images i WHERE i.id = r.image_id)',
};

// Columns that records do not show, and updated_at by itself, are nothing to tell. What a new version
// brings along is told of the version.
export const told = {
  images: {
    table: 'images',
    thing: 'image',
    image: 'NULL::uuid',
    updates: `
      ${trashing}
      WHEN was.folder_id IS DISTINCT FROM now.folder_id THEN ${actions.moved}
      WHEN ${differ(
        ...['created_at', 'deleted_at', 'taken_at', 'location', 'address_road', 'address_land'],
        ...['address_land_number', 'building_name', 'address_sort', 'address_det', 'has_det'],
        ...['is_shared', 'is_signed', 'original_extension'],
      )} THEN ${actions.updated}
      WHEN was.version_id = now.version_id AND ${differ(
        ...['filename', 'format', 'extension', 'display_extension', 'thumb_extension', 'hash'],
        ...['bytes', 'width', 'height', 'is_incomplete', 'thumbhash', 'edits'],
      )} THEN ${actions.updated}`,
  },
  folders: {
    table: 'folders',
    thing: 'folder',
    image: 'NULL::uuid',
    updates: `
      ${trashing}
      WHEN was.parent_id IS DISTINCT FROM now.parent_id THEN ${actions.moved}
      WHEN ${differ('title', 'created_at', 'deleted_at')} THEN ${actions.updated}`,
  },
  memos: {
    table: 'memos',
    thing: 'memo',
    ...annotation,
    updates: `WHEN ${differ('message', 'is_client')} THEN ${actions.updated}`,
  },
  customs: {
    table: 'customs',
    thing: 'custom',
    ...annotation,
    updates: `WHEN ${differ('key', 'value')} THEN ${actions.updated}`,
  },
} satisfies Record<string, Told>;

/**
 * Posts entries, of one user after the other.
 * @param told selects `user_id`, `id`, `image` and `action`.
 */
const postAll = (thing: keyof typeof things, told: string): string => `
      FOR t IN
        SELECT user_id, array_agg((${things[thing]}, action, id, image)::change_entry ORDER BY id)
                 AS entries
        FROM (${told}) AS told
        GROUP BY user_id ORDER BY user_id
      LOOP
        PERFORM post_changes(t.user_id, t.entries);
      END LOOP;`;

export const few = (rows: string): string =>
  `(SELECT count(*) FROM (SELECT FROM ${rows} LIMIT 2) AS few)`;

const changed = (image: string, row: string): string =>
  image === 'image_id' ? `${row}.image_id` : image;

/** Posts the entry of the one row of a statement that inserted or deleted it. */
export const postOne = (
  { thing, image }: Told,
  rows: string,
  action: number,
  condition = 'true',
): string => `
        PERFORM post_change(user_id, ${things[thing]}::int2, ${action}::int2, id, ${image})
        FROM ${rows} r WHERE ${condition};`;

/** Posts the entry of the one row of a statement that updated it. */
export const postUpdate = ({ thing, image, updates }: Told): string => `
        PERFORM post_change(now.user_id, ${things[thing]}::int2, action::int2, now.id,
                            ${changed(image, 'now')})
        FROM old_rows was, new_rows now, LATERAL (SELECT CASE ${updates} END AS action OFFSET 0) AS c
        WHERE action IS NOT NULL;`;

/** Posts the entries of all rows that a statement inserted or deleted. */
export const postRows = (
  { thing, image }: Told,
  rows: string,
  action: number,
  condition = 'true',
): string =>
  postAll(
    thing,
    `
        SELECT user_id, id, ${image} AS image, ${action} AS action FROM ${rows} r
        WHERE ${condition}`,
  );

/** Posts the entries of all rows that a statement updated. */
export const postUpdates = ({ table, thing, image }: Told): string =>
  postAll(
    thing,
    `SELECT (states[2]).user_id, id, ${changed(image, '(states[2])')} AS image,
                ${table}_action(states[1], states[2]) AS action
         FROM (
           SELECT id, array_agg(state ORDER BY time) AS states
           FROM (SELECT id, 1 AS time, ROW(r.*)::${table} AS state FROM old_rows r
                 UNION ALL SELECT id, 2, ROW(r.*)::${table} FROM new_rows r) AS state
           GROUP BY id OFFSET 0
         ) AS changed
         WHERE ${table}_action(states[1], states[2]) IS NOT NULL`,
  );

// One row is nearly every statement.
const telling = (what: Told): string => {
  const { table, updates, insertedIf, deletedIf } = what;
  return `
  CREATE FUNCTION ${table}_action(was ${table}, now ${table}) RETURNS smallint
  LANGUAGE plpgsql IMMUTABLE AS $function$
  BEGIN
    RETURN CASE ${updates} END;
  END $function$;

  CREATE FUNCTION post_${table}() RETURNS trigger LANGUAGE plpgsql AS $function$
  DECLARE
    t record;
  BEGIN
    CASE TG_OP
    WHEN 'INSERT' THEN
      IF ${few('new_rows')} < 2 THEN
        ${postOne(what, 'new_rows', actions.created, insertedIf)}
        RETURN NULL;
      END IF;
      ${postRows(what, 'new_rows', actions.created, insertedIf)}
    WHEN 'UPDATE' THEN
      IF ${few('new_rows')} < 2 THEN${postUpdate(what)}
        RETURN NULL;
      END IF;
      ${postUpdates(what)}
    ELSE
      IF ${few('old_rows')} < 2 THEN
        ${postOne(what, 'old_rows', actions.deleted, deletedIf)}
        RETURN NULL;
      END IF;
      ${postRows(what, 'old_rows', actions.deleted, deletedIf)}
    END CASE;
    RETURN NULL;
  END $function$;

  ${triggers(table)}`;
};

// In the order of their names, these come after the triggers that take the user's row (migration 14).
const triggers = (table: string): string => `
  CREATE TRIGGER post_inserted AFTER INSERT ON ${table} REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION post_${table}();
  CREATE TRIGGER post_updated AFTER UPDATE ON ${table}
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION post_${table}();
  CREATE TRIGGER post_deleted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION post_${table}();
`;

// Version 0 comes with its image, and versions go with it; they never change.
const versions = `
  CREATE FUNCTION post_image_versions() RETURNS trigger LANGUAGE plpgsql AS $function$
  DECLARE
    t record;
  BEGIN
    IF EXISTS (SELECT FROM new_rows WHERE version > 0) THEN
      ${postAll(
        'version',
        `SELECT user_id, id, image_id AS image, ${actions.created} AS action FROM new_rows
         WHERE version > 0`,
      )}
    END IF;
    RETURN NULL;
  END $function$;

  CREATE TRIGGER post_inserted AFTER INSERT ON image_versions REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION post_image_versions();
`;

export const tellings = Object.values(told).map(telling).join('') + versions;
