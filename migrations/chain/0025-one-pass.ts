import type { MigrationInterface, QueryRunner } from 'typeorm';
import { annotations } from './0025-annotations.js';
import { imageChanges } from './0025-image-changes.js';

/**
 * A change of one image or annotation keeps the accounts and tells the change feed in one pass: one
 * trigger less, and one write of the user's row instead of two (docs/adr/0015). Replaces triggers of
 * migrations 14 and 20; what they keep stays as it is.
 *
 * Takes no time; changes wait for the moment in which the triggers are replaced.
 */
export class OnePass0000000000025 implements MigrationInterface {
  readonly name = 'OnePass0000000000025';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(imageChanges);
    await runner.query(annotations);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}
