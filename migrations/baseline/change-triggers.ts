import { actions, things } from './change-posting.js';

// What the triggers tell the change feed of each table. A plan made for one row has to do for many:
// nothing joins two transition tables, which would be one loop within another.

/** Whether any of these columns of two rows differ. */
const differ = (columns: string): string => {
  const of = (row: string): string => columns.replaceAll(/\w+/g, `${row}.$&`);
  return `(${of('was')}) IS DISTINCT FROM (${of('now')})`;
};

/** The cases of moving to the trash and restoring. */
const trashing = `
      WHEN was.deleted_at IS NULL AND now.deleted_at IS NOT NULL THEN ${actions.trashed}
      WHEN was.deleted_at IS NOT NULL AND now.deleted_at IS NULL THEN ${actions.restored}`;

interface Told {
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
const shown =
  'created_at, deleted_at, taken_at, location, address_road, address_land, address_land_number, ' +
  'building_name, address_sort, address_det, has_det, is_shared, is_signed, original_extension, ' +
  'original_name, direction, altitude_m, accuracy_m, camera';
const ofVersion =
  'filename, format, extension, display_extension, thumb_extension, hash, bytes, width, height, ' +
  'is_incomplete, thumbhash, edits';

/** What is told of each table. */
export const told = {
  images: {
    table: 'images',
    thing: 'image',
    image: 'NULL::uuid',
    updates: `
      ${trashing}
      WHEN was.folder_id IS DISTINCT FROM now.folder_id THEN ${actions.moved}
      WHEN ${differ(shown)} THEN ${actions.updated}
      WHEN was.version_id = now.version_id AND ${differ(ofVersion)} THEN ${actions.updated}`,
  },
  folders: {
    table: 'folders',
    thing: 'folder',
    image: 'NULL::uuid',
    updates: `
      ${trashing}
      WHEN was.parent_id IS DISTINCT FROM now.parent_id THEN ${actions.moved}
      WHEN ${differ('title, created_at, deleted_at')} THEN ${actions.updated}`,
  },
  memos: {
    table: 'memos',
    thing: 'memo',
    ...annotation,
    updates: `WHEN ${differ('message, is_client')} THEN ${actions.updated}`,
  },
  customs: {
    table: 'customs',
    thing: 'custom',
    ...annotation,
    updates: `WHEN ${differ('key, value')} THEN ${actions.updated}`,
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

/** How many rows there are, counted up to two: one row is nearly every statement. */
export const few = (rows: string): string =>
  `(SELECT count(*) FROM (SELECT FROM ${rows} LIMIT 2) AS few)`;

const changed = (image: string, row: string): string =>
  image === 'image_id' ? `${row}.image_id` : image;

/** Posts the entry of the one row of a statement that inserted or deleted it. */
const postOne = (
  { thing, image }: Told,
  rows: string,
  action: number,
  condition = 'true',
): string => `
        PERFORM post_change(user_id, ${things[thing]}::int2, ${action}::int2, id, ${image})
        FROM ${rows} r WHERE ${condition};`;

/** Posts the entry of the one row of a statement that updated it. */
const postUpdate = ({ thing, image, updates }: Told): string => `
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

/** What an update did to a row, as a function, which statements of many rows call. */
const actionOf = ({ table, updates }: Told): string => `
  CREATE FUNCTION ${table}_action(was ${table}, now ${table}) RETURNS smallint
  LANGUAGE plpgsql IMMUTABLE AS $function$
  BEGIN
    RETURN CASE ${updates} END;
  END $function$;
`;

// Images, memos, and customs are told of by the triggers that keep their accounts, in one pass.
const folders = `
  CREATE FUNCTION post_folders() RETURNS trigger LANGUAGE plpgsql AS $function$
  DECLARE
    t record;
  BEGIN
    CASE TG_OP
    WHEN 'INSERT' THEN
      IF ${few('new_rows')} < 2 THEN
        ${postOne(told.folders, 'new_rows', actions.created)}
        RETURN NULL;
      END IF;
      ${postRows(told.folders, 'new_rows', actions.created)}
    WHEN 'UPDATE' THEN
      IF ${few('new_rows')} < 2 THEN${postUpdate(told.folders)}
        RETURN NULL;
      END IF;
      ${postUpdates(told.folders)}
    ELSE
      IF ${few('old_rows')} < 2 THEN
        ${postOne(told.folders, 'old_rows', actions.deleted)}
        RETURN NULL;
      END IF;
      ${postRows(told.folders, 'old_rows', actions.deleted)}
    END CASE;
    RETURN NULL;
  END $function$;

  CREATE TRIGGER post_inserted AFTER INSERT ON folders REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION post_folders();
  CREATE TRIGGER post_updated AFTER UPDATE ON folders
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION post_folders();
  CREATE TRIGGER post_deleted AFTER DELETE ON folders REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION post_folders();
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

const postSets = (rows: string, action: number): string => `
      FOR t IN
        SELECT user_id, array_agg((${things.uploadSet}, ${action}, id, NULL)::change_entry ORDER BY id)
                 AS entries
        FROM ${rows} GROUP BY user_id ORDER BY user_id
      LOOP
        PERFORM post_changes(t.user_id, t.entries);
      END LOOP;`;

// Whatever changes in a row shows in its record.
const uploadSets = `
  CREATE FUNCTION post_upload_sets() RETURNS trigger LANGUAGE plpgsql AS $function$
  DECLARE
    t record;
  BEGIN
    CASE TG_OP
    WHEN 'INSERT' THEN ${postSets('new_rows', actions.created)}
    WHEN 'UPDATE' THEN ${postSets('new_rows', actions.updated)}
    ELSE ${postSets('old_rows', actions.deleted)}
    END CASE;
    RETURN NULL;
  END $function$;

  CREATE TRIGGER post_inserted AFTER INSERT ON upload_sets REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION post_upload_sets();
  CREATE TRIGGER post_updated AFTER UPDATE ON upload_sets REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION post_upload_sets();
  CREATE TRIGGER post_deleted AFTER DELETE ON upload_sets REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION post_upload_sets();
`;

const links = `
  -- Visits are nothing to tell.
  CREATE FUNCTION post_link() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    PERFORM post_change(
      NEW.user_id, ${things.link}::int2,
      CASE WHEN TG_OP = 'INSERT' THEN ${actions.created} WHEN NEW.deleted_at IS NOT NULL THEN ${actions.deleted} ELSE ${actions.updated} END::int2,
      NEW.id, NULL);
    RETURN NULL;
  END $function$;

  CREATE TRIGGER post_link AFTER INSERT ON links FOR EACH ROW EXECUTE FUNCTION post_link();
  CREATE TRIGGER post_changed_link AFTER UPDATE ON links FOR EACH ROW
    -- Not as rows: a restored condition would have other parentheses.
    WHEN (OLD.title IS DISTINCT FROM NEW.title
          OR OLD.message IS DISTINCT FROM NEW.message
          OR OLD.password_hash IS DISTINCT FROM NEW.password_hash
          OR OLD.allow_download IS DISTINCT FROM NEW.allow_download
          OR OLD.show_place IS DISTINCT FROM NEW.show_place
          OR OLD.is_paused IS DISTINCT FROM NEW.is_paused
          OR OLD.expires_at IS DISTINCT FROM NEW.expires_at
          OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
    EXECUTE FUNCTION post_link();
`;

export const changeTriggers =
  Object.values(told).map(actionOf).join('') + folders + versions + uploadSets + links;
