import type { MigrationInterface, QueryRunner } from 'typeorm';
import { zooms } from './0029-cells.js';

/**
 * Cells of platforms, so that no tile of a platform adds up those of all its users (docs/adr/0013).
 *
 * Changes to images wait while the cells of users are copied to what has to be added, a few seconds per
 * million images; reads do not until the last moment. A job adds them while the service runs: until then,
 * maps of platforms are as right and as slow as before.
 */
export class PlatformCells0000000000042 implements MigrationInterface {
  readonly name = 'PlatformCells0000000000042';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    await runner.query(noting);
    await runner.query(copying);
    await runner.query(summing);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

const tables = `
  CREATE TABLE platform_cells (
    platform_id uuid NOT NULL,
    zoom smallint NOT NULL,
    cell bigint NOT NULL,
    x integer NOT NULL,
    y integer NOT NULL,
    active_images integer NOT NULL,
    active_at timestamptz,
    active_id uuid,
    active_cell bigint,
    PRIMARY KEY (platform_id, zoom, cell)
  ) WITH (fillfactor = 80);
  COMMENT ON TABLE platform_cells IS
    'sums of map_cells of all users of a platform; platform_cell_changes has to be added';

  CREATE TABLE platform_cell_changes (
    platform_id uuid NOT NULL,
    cell bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    active_images integer NOT NULL,
    active_at timestamptz,
    active_id uuid,
    PRIMARY KEY (platform_id, cell, id)
  );
  COMMENT ON COLUMN platform_cell_changes.cell IS 'of zoom 26';
  COMMENT ON COLUMN platform_cell_changes.active_images IS 'how many more there are';
  COMMENT ON COLUMN platform_cell_changes.active_id IS
    'image made at active_at that may be the newest there';
`;

const [finest = 0, ...coarser] = zooms.toReversed();

// Everything else adds up these, so that a change is noted once and not for each zoom.
const noting = `
  CREATE FUNCTION note_platform_cell() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    INSERT INTO platform_cell_changes (platform_id, cell, active_images, active_at, active_id)
    VALUES (coalesce(NEW.platform_id, OLD.platform_id),
            coalesce(NEW.active_cell, NEW.cell, OLD.cell),
            coalesce(NEW.active_images, 0) - coalesce(OLD.active_images, 0),
            NEW.active_at, NEW.active_id);
    RETURN NULL;
  END $function$;

  CREATE TRIGGER platform_cell_inserted AFTER INSERT ON map_cells FOR EACH ROW
    WHEN (NEW.zoom = ${finest} AND NEW.active_images <> 0)
    EXECUTE FUNCTION note_platform_cell();
  CREATE TRIGGER platform_cell_updated AFTER UPDATE ON map_cells FOR EACH ROW
    WHEN (NEW.zoom = ${finest}
          -- Not as rows, which a restored dump would write in other parentheses.
          AND (OLD.active_images IS DISTINCT FROM NEW.active_images
            OR OLD.active_at IS DISTINCT FROM NEW.active_at
            OR OLD.active_id IS DISTINCT FROM NEW.active_id
            OR OLD.active_cell IS DISTINCT FROM NEW.active_cell))
    EXECUTE FUNCTION note_platform_cell();
  CREATE TRIGGER platform_cell_deleted AFTER DELETE ON map_cells FOR EACH ROW
    WHEN (OLD.zoom = ${finest} AND OLD.active_images <> 0)
    EXECUTE FUNCTION note_platform_cell();
`;

const copying = `
  INSERT INTO platform_cell_changes (platform_id, cell, active_images, active_at, active_id)
  SELECT platform_id, coalesce(active_cell, cell), active_images, active_at, active_id
  FROM map_cells WHERE zoom = ${finest} AND active_images <> 0;
`;

/** Sums up the cells `tiles` of a zoom anew, from the rows `k` that are in them. */
const summed = (zoom: number, rows: string): string => `
    WITH fresh AS MATERIALIZED (
      SELECT t.owner, t.tile, s.*
      FROM unnest(owners, tiles) AS t (owner, tile)
      LEFT JOIN LATERAL (
        SELECT sum(k.active_images) OVER () AS active_images, k.active_at, k.active_id,
               k.active_cell
        FROM ${rows}
        ORDER BY k.active_at DESC NULLS LAST, k.active_id DESC LIMIT 1
      ) AS s ON true
    ),
    emptied AS (
      DELETE FROM platform_cells c USING fresh f
      WHERE c.platform_id = f.owner AND c.zoom = ${zoom} AND c.cell = f.tile
        AND f.active_images IS NULL
    )
    INSERT INTO platform_cells AS c
      (platform_id, zoom, cell, x, y, active_images, active_at, active_id, active_cell)
    SELECT owner, ${zoom}, tile, gather_bits(tile) >> ${26 - zoom},
           gather_bits(tile >> 1) >> ${26 - zoom}, active_images, active_at, active_id, active_cell
    FROM fresh WHERE active_images > 0
    ON CONFLICT (platform_id, zoom, cell) DO UPDATE
    SET active_images = excluded.active_images, active_at = excluded.active_at,
        active_id = excluded.active_id, active_cell = excluded.active_cell;
`;

const inTile = (zoom: number): string => `>> ${52 - 2 * zoom} << ${52 - 2 * zoom}`;

const coarserOnes = coarser
  .map((zoom, i) => {
    const finer = [finest, ...coarser][i] ?? finest;
    const size = 2 ** (52 - 2 * zoom);
    return `
    SELECT array_agg(t.owner), array_agg(t.tile) INTO owners, tiles
    FROM (SELECT DISTINCT u.owner, u.tile ${inTile(zoom)} FROM unnest(owners, tiles) AS u (owner, tile))
      AS t (owner, tile);
${summed(
  zoom,
  `platform_cells k
        WHERE k.platform_id = t.owner AND k.zoom = ${finer} AND k.cell >= t.tile
          AND k.cell < t.tile + ${size}`,
)}`;
  })
  .join('');

// A sum is made anew, not added to, so that it is right whatever was there before.
const summing = `
  CREATE FUNCTION sum_platform_cells(most integer) RETURNS integer
  LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
    SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $function$
  DECLARE
    owners uuid[];
    tiles bigint[];
    changes integer;
  BEGIN
    IF current_setting('transaction_isolation') = 'read committed' THEN
      RAISE 'Changes that come meanwhile would be counted twice.';
    END IF;
    WITH change AS (
      SELECT DISTINCT h.platform_id, h.cell ${inTile(finest)} AS tile
      FROM (SELECT platform_id, cell FROM platform_cell_changes LIMIT most) AS h
    ),
    counted AS (
      DELETE FROM platform_cell_changes h USING change c
      WHERE h.platform_id = c.platform_id AND h.cell >= c.tile AND h.cell < c.tile + ${2 ** (52 - 2 * finest)}
      RETURNING 1
    )
    SELECT array_agg(platform_id), array_agg(tile), (SELECT count(*) FROM counted)
    INTO owners, tiles, changes FROM change;
${summed(
  finest,
  `map_cells k
        WHERE k.platform_id = t.owner AND k.zoom = ${finest} AND k.cell = t.tile
          AND k.active_images > 0`,
)}${coarserOnes}
    RETURN changes;
  END $function$;
  COMMENT ON FUNCTION sum_platform_cells IS
    'adds changes to the cells of platforms, about so many; returns how many. One at a time, in a '
    'transaction that sees one moment';
`;
