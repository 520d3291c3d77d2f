import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Every order in which the contents of a folder are read, as an index that also knows what is in
 * the trash: a deep page is found, and a folder's images are counted, without reading whole rows.
 */
export class Folders0000000000003 implements MigrationInterface {
  readonly name = 'Folders0000000000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX folders_parent;
      CREATE INDEX folders_parent ON folders (user_id, parent_id, title, id) INCLUDE (deleted_at);

      DROP INDEX images_folder;
      CREATE INDEX images_folder ON images (user_id, folder_id, created_at, id)
        INCLUDE (deleted_at, bytes);
      CREATE INDEX images_folder_updated ON images (user_id, folder_id, updated_at, id)
        INCLUDE (deleted_at);
      CREATE INDEX images_folder_name ON images (user_id, folder_id, filename, id)
        INCLUDE (deleted_at);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}
