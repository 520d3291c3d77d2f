import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countAtPlace } from './0033-counting.js';

/**
 * Makes what is kept of maps cost less in each change of an image (docs/adr/0013). Functions, and a
 * trigger instead of two foreign keys: tables are locked for a moment only.
 */
export class CheaperMaps0000000000033 implements MigrationInterface {
  readonly name = 'CheaperMaps0000000000033';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(owners);
    await runner.query(countAtPlace);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

// A foreign key would look up the user for each cell that an image opens. Only triggers write these
// tables, and they lock the user first.
const owners = `
  ALTER TABLE places DROP CONSTRAINT places_user_id_fkey;
  ALTER TABLE map_cells DROP CONSTRAINT map_cells_user_id_fkey;

  CREATE FUNCTION forget_map() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    DELETE FROM places WHERE user_id = OLD.id;
    DELETE FROM map_cells WHERE user_id = OLD.id;
    RETURN NULL;
  END $function$;

  CREATE TRIGGER forget_map AFTER DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION forget_map();
`;
