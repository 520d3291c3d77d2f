import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links that sign in to the console once (docs/adr/0006). A new table only. */
export class ConsoleCodes0000000000032 implements MigrationInterface {
  readonly name = 'ConsoleCodes0000000000032';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE console_codes (
        hash bytea PRIMARY KEY,
        expires_at timestamptz NOT NULL
      );
      COMMENT ON COLUMN console_codes.hash IS
        'SHA-256 of a code that is exchanged once for an administrator''s token';
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}
