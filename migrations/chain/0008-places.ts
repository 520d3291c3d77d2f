import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Places of a user's images: each with its images newest first, from the index alone. */
export class Places0000000000008 implements MigrationInterface {
  readonly name = 'Places0000000000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX images_at_place ON images (user_id, location, created_at DESC, id DESC)
        INCLUDE (deleted_at, bytes) WHERE location IS NOT NULL;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}
