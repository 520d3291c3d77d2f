import type { MigrationInterface, QueryRunner } from 'typeorm';

/** CRC-32 of versions, which archives with ranges need before their first byte (docs/adr/0004). */
export class Checksums0000000000028 implements MigrationInterface {
  readonly name = 'Checksums0000000000028';

  async up(runner: QueryRunner): Promise<void> {
    // Without a default no row is touched: an instant, however many there are.
    await runner.query(`
      ALTER TABLE image_versions ADD COLUMN crc32 bigint;
      COMMENT ON COLUMN image_versions.crc32 IS
        'of the uploaded bytes; null: not computed yet, -1: their object was missing';
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}
