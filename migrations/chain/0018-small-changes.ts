import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What lets one statement change an image, whatever it has to look at (docs/adr/0003). */
export class SmallChanges0000000000018 implements MigrationInterface {
  readonly name = 'SmallChanges0000000000018';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(folderIsOpen);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

// A statement sees what was committed before it began, which may be before it got the user's lock. A
// volatile function sees what is committed when it is called.
const folderIsOpen = `
  CREATE FUNCTION folder_is_open(who uuid, folder uuid) RETURNS boolean
  LANGUAGE plpgsql VOLATILE STRICT AS $function$
  BEGIN
    RETURN EXISTS (
      SELECT FROM folders WHERE id = folder AND user_id = who AND deleted_at IS NULL
    );
  END $function$;
`;
