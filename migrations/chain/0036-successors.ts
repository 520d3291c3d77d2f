import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A spent refresh token names its successor, so that a repeat whose answer was lost gets the same one
 * (docs/adr/0006). Tokens spent before have none: repeating them ends their family, as it did.
 */
export class Successors0000000000036 implements MigrationInterface {
  readonly name = 'Successors0000000000036';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE refresh_tokens ADD COLUMN successor jsonb, ADD COLUMN key_hash bytea;
      COMMENT ON COLUMN refresh_tokens.successor IS
        'what the token was exchanged for: all that it takes to sign the same token again';
      COMMENT ON COLUMN refresh_tokens.key_hash IS
        'SHA-256 of the Idempotency-Key of the request that spent the token';
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}
