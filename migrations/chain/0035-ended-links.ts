import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes of what was suspended or revoked lately, which every process looks for once a second
 * (docs/adr/0012). They are nearly empty; building them reads the tables once.
 */
export class EndedLinks0000000000035 implements MigrationInterface {
  readonly name = 'EndedLinks0000000000035';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX users_suspended ON users (suspended_at) WHERE suspended_at IS NOT NULL;
      CREATE INDEX platforms_suspended ON platforms (suspended_at) WHERE suspended_at IS NOT NULL;
      CREATE INDEX platforms_revoked ON platforms (revoked_at) WHERE revoked_at IS NOT NULL;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}
