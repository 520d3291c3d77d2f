import type { MigrationInterface, QueryRunner } from 'typeorm';
import { limits } from './0024-limits.js';

/**
 * Suspension, limits and deletion of platforms, and who did what (docs/adr/0003).
 *
 * Takes no time: columns get their defaults without rows being written, but for those of platforms. Changes and reads wait
 * for the moment in which they are added.
 */
export class Tenants0000000000024 implements MigrationInterface {
  readonly name = 'Tenants0000000000024';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(suspension);
    await runner.query(limits);
    await runner.query(audit);
    await runner.query(erasures);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

const suspension = `
  ALTER TABLE users ADD COLUMN suspended_at timestamptz;
  ALTER TABLE platforms
    ADD COLUMN suspended_at timestamptz,
    ADD COLUMN deleting_at timestamptz,
    ADD COLUMN revoked_at timestamptz;
  UPDATE platforms SET revoked_at = updated_at WHERE token_generation > 1;
  COMMENT ON COLUMN platforms.deleting_at IS 'since when it is being deleted; not undone';
  COMMENT ON COLUMN platforms.revoked_at IS 'when its tokens and those of its users were last revoked';
  CREATE INDEX platforms_deleting ON platforms (deleting_at) WHERE deleting_at IS NOT NULL;
`;

// A default, since triggers write the entries: whoever changes something says by which token in a
// setting of the transaction, as with the actor (migration 20). Entries before this have none.
const audit = `
  ALTER TABLE changes ADD COLUMN token_id uuid;
  ALTER TABLE changes ALTER COLUMN token_id
    SET DEFAULT (NULLIF(current_setting('imgstore.token'::text, true), ''::text))::uuid;
  COMMENT ON COLUMN changes.token_id IS 'jti of the token; null for the terminal and for jobs';

  CREATE TABLE audit_acts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    act text NOT NULL,
    actor text NOT NULL,
    operator text,
    token_id uuid,
    platform_id uuid,
    user_id uuid,
    details jsonb
  );
  COMMENT ON TABLE audit_acts IS 'what administrators did; stays when platform or user are deleted';
  COMMENT ON COLUMN audit_acts.operator IS 'user of the operating system, from the terminal';
  CREATE INDEX audit_acts_at ON audit_acts (at, id);
`;

const erasures = `
  CREATE TABLE erasures (
    platform_id uuid PRIMARY KEY,
    requested_at timestamptz NOT NULL DEFAULT now(),
    rows_deleted_at timestamptz,
    objects_deleted_at timestamptz,
    users bigint NOT NULL DEFAULT 0,
    folders bigint NOT NULL DEFAULT 0,
    images bigint NOT NULL DEFAULT 0,
    versions bigint NOT NULL DEFAULT 0,
    objects bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0
  );
  COMMENT ON TABLE erasures IS 'what was deleted with each platform; counts alone, kept for good';
  COMMENT ON COLUMN erasures.bytes IS 'of originals and edits';
`;
