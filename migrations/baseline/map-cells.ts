// The cells of maps, and the sums of places that they keep (docs/adr/0013).

// Web Mercator at zoom 26: half a meter at the equator, and an interleaved position of 52 bits, which
// JavaScript numbers hold. A floor puts an edge into the cell east and south of it; 180° is -180°.
const positions = `
  CREATE FUNCTION map_x(location geography) RETURNS integer
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $function$
    SELECT floor((ST_X(location::geometry) + 180) / 360 * 67108864)::integer & 67108863
  $function$;

  CREATE FUNCTION map_y(location geography) RETURNS integer
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $function$
    SELECT greatest(0, least(67108863, floor(
      (1 - asinh(tan(radians(ST_Y(location::geometry)))) / pi()) / 2 * 67108864)))::integer
  $function$;

  -- The bits of y and x in turn, y first: every tile z/x/y is one range of cells. (The factors are
  -- masks of 16, 8, 4, 2 and 1 bits out of twice as many.)
  CREATE FUNCTION map_cell(location geography) RETURNS bigint
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $function$
  DECLARE
    x bigint := map_x(location);
    y bigint := map_y(location);
  BEGIN
    x := (x | (x << 16)) & 281470681808895;
    y := (y | (y << 16)) & 281470681808895;
    x := (x | (x << 8)) & 71777214294589695;
    y := (y | (y << 8)) & 71777214294589695;
    x := (x | (x << 4)) & 1085102592571150095;
    y := (y | (y << 4)) & 1085102592571150095;
    x := (x | (x << 2)) & 3689348814741910323;
    y := (y | (y << 2)) & 3689348814741910323;
    x := (x | (x << 1)) & 6148914691236517205;
    y := (y | (y << 1)) & 6148914691236517205;
    RETURN x | (y << 1);
  END $function$;

  -- A zero before each bit: of the x and the y of a tile, these make its cell, as in map_cell.
  CREATE FUNCTION spread_bits(bits bigint) RETURNS bigint
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $function$
  BEGIN
    bits := (bits | (bits << 16)) & 281470681808895;
    bits := (bits | (bits << 8)) & 71777214294589695;
    bits := (bits | (bits << 4)) & 1085102592571150095;
    bits := (bits | (bits << 2)) & 3689348814741910323;
    RETURN (bits | (bits << 1)) & 6148914691236517205;
  END $function$;

  -- Every other bit, from the lowest on: the x of a cell, or its y if shifted by one.
  CREATE FUNCTION gather_bits(bits bigint) RETURNS integer
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $function$
  BEGIN
    bits := bits & 6148914691236517205;
    bits := (bits | (bits >> 1)) & 3689348814741910323;
    bits := (bits | (bits >> 2)) & 1085102592571150095;
    bits := (bits | (bits >> 4)) & 71777214294589695;
    bits := (bits | (bits >> 8)) & 281470681808895;
    RETURN (bits | (bits >> 16)) & 67108863;
  END $function$;
`;

/** The zooms at which sums are kept. */
export const zooms = [0, 6, 9, 12, 15, 18, 21, 24] as const;
export const zoomArray = `ARRAY[${zooms.join(', ')}]`;

/** What is summed up, of all places of a cell. */
export const sums = [
  'places',
  'active_places',
  'trashed_places',
  'active_images',
  'trashed_images',
  'active_bytes',
  'trashed_bytes',
];
export const each = (names: readonly string[], sql: (name: string) => string): string =>
  names.map(sql).join(', ');

/** The newest image of a cell: when it was made, which one it is, and in which cell of zoom 26. */
export const newest = ['active_at', 'active_id', 'active_cell'];

/** Columns of a cell at a `zoom` from a place. */
export const cellOf = (cell: string, location: string): string => `
  ${cell} >> (52 - 2 * zoom) << (52 - 2 * zoom) AS cell,
  map_x(${location}) >> (26 - zoom) AS x, map_y(${location}) >> (26 - zoom) AS y`;

/** Whether a cell keeps its newest image, or gets the one that has come. */
const renewed = (lost: string): string =>
  each(
    newest,
    (column) => `${column} = CASE WHEN ${lost} THEN NULL
        WHEN excluded.active_id IS NOT NULL AND (c.active_id IS NULL
          OR (excluded.active_at, excluded.active_id) > (c.active_at, c.active_id))
        THEN excluded.${column} ELSE c.${column} END`,
  );

/** @param lost whether the newest image of the cell has gone: which one is next is looked up later. */
export const addToCells = (lost: string): string => `
    ON CONFLICT (user_id, zoom, cell) DO UPDATE
    SET ${each(sums, (s) => `${s} = c.${s} + excluded.${s}`)}, ${renewed(lost)}`;

export const cellColumns = `user_id, platform_id, zoom, cell, x, y, ${[...sums, ...newest].join(', ')}`;

const [finest = 0, ...coarser] = zooms.toReversed();

/** Numbered by age in the cells that they add up to: the newest image of each is that of number 1. */
const summed = (zoom: number, columns: string, from: string): string => `
    INSERT INTO map_cells (user_id, platform_id, zoom, cell, x, y, ${sums.join(', ')},
                           ${newest.join(', ')})
    SELECT user_id, platform_id, ${zoom}, tile, x, y, ${each(sums, (s) => `sum(${s})`)},
           max(active_at) FILTER (WHERE nth = 1), (array_agg(active_id) FILTER (WHERE nth = 1))[1],
           max(active_cell) FILTER (WHERE nth = 1)
    FROM (
      SELECT ${columns}, row_number() OVER (
               PARTITION BY c.user_id, c.cell >> ${52 - 2 * zoom}
               ORDER BY c.active_at DESC NULLS LAST, c.active_id DESC) AS nth
      FROM ${from}
    ) AS numbered
    GROUP BY user_id, platform_id, tile, x, y;`;

const ofPlaces = `c.user_id, u.platform_id, c.cell >> ${52 - 2 * finest} << ${52 - 2 * finest} AS tile,
             map_x(c.location) >> ${26 - finest} AS x, map_y(c.location) >> ${26 - finest} AS y,
             1 AS places, (c.active_id IS NOT NULL)::integer AS active_places,
             (c.trashed_id IS NOT NULL)::integer AS trashed_places,
             ${each(sums.slice(3), (s) => `c.${s}`)}, c.active_at, c.active_id,
             CASE WHEN c.active_id IS NOT NULL THEN c.cell END AS active_cell`;

const ofCells = (zoom: number, finer: number): string =>
  `c.user_id, c.platform_id, c.cell >> ${52 - 2 * zoom} << ${52 - 2 * zoom} AS tile,
             c.x >> ${finer - zoom} AS x, c.y >> ${finer - zoom} AS y,
             ${each([...sums, ...newest], (s) => `c.${s}`)}`;

const filling = `
  CREATE FUNCTION fill_map_cells(who uuid[]) RETURNS void
  LANGUAGE plpgsql SET jit = off AS $function$
  BEGIN${summed(
    finest,
    ofPlaces,
    'places c JOIN users u ON u.id = c.user_id WHERE who IS NULL OR c.user_id = ANY (who)',
  )}${coarser
    .map((zoom, i) => {
      const finer = [finest, ...coarser][i] ?? finest;
      const condition = `c.zoom = ${finer} AND (who IS NULL OR c.user_id = ANY (who))`;
      return summed(zoom, ofCells(zoom, finer), `map_cells c WHERE ${condition}`);
    })
    .join('')}
  END $function$;
  COMMENT ON FUNCTION fill_map_cells IS
    'makes the cells of users that have none from their places; null: of all users';
`;

const newestAt = (what: string, condition: string): string =>
  `(array_agg(${what} ORDER BY created_at DESC, id DESC) FILTER (WHERE ${condition}))[1]`;
const [active, trashed] = ['deleted_at IS NULL', 'deleted_at IS NOT NULL'];

// Everything that is kept of the map of a user, from the images: a lock on the user keeps others away,
// like a change of an image does.
const mending = `
  CREATE FUNCTION rebuild_map(who uuid) RETURNS void
  LANGUAGE plpgsql SET jit = off AS $function$
  BEGIN
    UPDATE users SET map_version = map_version + 1 WHERE id = who;
    DELETE FROM places WHERE user_id = who;
    DELETE FROM map_cells WHERE user_id = who;
    INSERT INTO places
    SELECT user_id, map_cell(location), location, count(*) FILTER (WHERE ${active}),
           count(*) FILTER (WHERE ${trashed}), coalesce(sum(bytes) FILTER (WHERE ${active}), 0),
           coalesce(sum(bytes) FILTER (WHERE ${trashed}), 0),
           ${newestAt('created_at', active)}, ${newestAt('id', active)},
           ${newestAt('created_at', trashed)}, ${newestAt('id', trashed)}, max(uploaded_at)
    FROM images WHERE user_id = who AND location IS NOT NULL
    GROUP BY user_id, location;
    PERFORM fill_map_cells(ARRAY[who]);
  END $function$;
`;

// Instead of foreign keys, which would look up the user for each cell that an image opens.
const forgetting = `
  CREATE FUNCTION forget_map() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    DELETE FROM places WHERE user_id = OLD.id;
    DELETE FROM map_cells WHERE user_id = OLD.id;
    RETURN NULL;
  END $function$;

  CREATE TRIGGER forget_map AFTER DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION forget_map();
`;

export const mapCells = positions + filling + mending + forgetting;
