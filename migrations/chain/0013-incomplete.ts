import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pictures that break off are taken in (docs/adr/0009), and their versions say so. */
export class Incomplete0000000000013 implements MigrationInterface {
  readonly name = 'Incomplete0000000000013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE images ADD COLUMN is_incomplete boolean NOT NULL DEFAULT false;
      ALTER TABLE image_versions ADD COLUMN is_incomplete boolean NOT NULL DEFAULT false;
      COMMENT ON COLUMN images.is_incomplete IS 'whether the picture of the current version breaks off';
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}
