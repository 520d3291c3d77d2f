import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which time zone the days of daily_stats are days of: they serve reads in that zone alone. */
export class RollUp0000000000006 implements MigrationInterface {
  readonly name = 'RollUp0000000000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- One row, made by the first roll-up.
      CREATE TABLE stats_roll_up (
        singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
        zone text NOT NULL
      );
      COMMENT ON COLUMN stats_roll_up.zone IS 'of the days in daily_stats; another one: made anew';
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}
