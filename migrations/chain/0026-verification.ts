import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the last verifications found, and how far the bytes have been read (docs/adr/0002). Only new tables. */
export class Verification0000000000026 implements MigrationInterface {
  readonly name = 'Verification0000000000026';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

const tables = `
  -- The last run of each scope: whether all objects are in place, and whether their bytes are right.
  CREATE TABLE verifications (
    scope text PRIMARY KEY,
    began_at timestamptz NOT NULL,
    ended_at timestamptz,
    versions bigint NOT NULL DEFAULT 0,
    objects bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    CONSTRAINT verifications_scope_check CHECK (scope IN ('objects', 'contents'))
  );
  COMMENT ON COLUMN verifications.ended_at IS
    'of the last run that came to its end; before began_at while one is under way, or when it was killed';

  -- One row: how far the bytes have been read. Each run goes on where the one before it stopped.
  CREATE TABLE content_rounds (
    singleton boolean PRIMARY KEY DEFAULT true,
    began_at timestamptz NOT NULL DEFAULT now(),
    up_to uuid,
    versions bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    last_began_at timestamptz,
    last_ended_at timestamptz,
    CONSTRAINT content_rounds_singleton_check CHECK (singleton)
  );
  COMMENT ON COLUMN content_rounds.up_to IS 'the last version read in this round; null before the first';
  COMMENT ON COLUMN content_rounds.last_ended_at IS 'when all versions had been read once more';
  INSERT INTO content_rounds DEFAULT VALUES;

  CREATE TABLE verification_findings (
    key text PRIMARY KEY,
    kind text NOT NULL,
    expected bigint,
    found bigint,
    reason text,
    found_at timestamptz NOT NULL DEFAULT now()
  );
  COMMENT ON TABLE verification_findings IS
    'objects that were wrong when they were last looked at, as far as there is room for them';
`;
