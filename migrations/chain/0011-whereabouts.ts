import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which object store the installation uses, and how far a move to another one has come. */
export class Whereabouts0000000000011 implements MigrationInterface {
  readonly name = 'Whereabouts0000000000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE instance
        ADD COLUMN store text NOT NULL DEFAULT 'local' CHECK (store IN ('local', 's3')),
        ADD COLUMN second_store text CHECK (second_store IN ('local', 's3') AND second_store <> store),
        ADD COLUMN moving boolean NOT NULL DEFAULT false CHECK (NOT moving OR second_store IS NOT NULL),
        ADD COLUMN move_started_at timestamptz,
        ADD COLUMN moved_up_to uuid;
      COMMENT ON COLUMN instance.second_store IS
        'while moving: where objects go to; afterwards: where they came from, until that is cleared';
      COMMENT ON COLUMN instance.moved_up_to IS 'id of the last version whose objects were copied';
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}
