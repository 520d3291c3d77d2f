import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What lets clients repeat requests safely, and ask what has arrived (docs/adr/0016). */
export class Retries0000000000021 implements MigrationInterface {
  readonly name = 'Retries0000000000021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(versionsByHash);
    await runner.query(idempotencyKeys);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

// Uploads and edits wait while it is built (a SHARE lock on image_versions), reads do not: tens
// of seconds with 10,000,000 images. The image and version are in it so that the versions of a hash come
// in order, however many there are, and from the index alone.
const versionsByHash = `
  CREATE INDEX image_versions_hash ON image_versions (user_id, hash, image_id, version);
`;

const idempotencyKeys = `
  -- Requests that have succeeded: a row for each piece of their answers, numbered from 0.
  CREATE TABLE idempotency_keys (
    owner uuid NOT NULL,
    key text COLLATE "C" NOT NULL,
    piece integer NOT NULL,
    fingerprint bytea NOT NULL,
    answer bytea NOT NULL,
    is_last boolean NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (owner, key, piece)
  );
  COMMENT ON COLUMN idempotency_keys.owner IS 'the user or platform of the token';
  COMMENT ON COLUMN idempotency_keys.fingerprint IS 'SHA-256 of the request as understood';
  CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

  -- Not a foreign key, since the owner is a row of either table.
  CREATE FUNCTION forget_idempotency_keys() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    DELETE FROM idempotency_keys k USING old_rows o WHERE k.owner = o.id;
    RETURN NULL;
  END $function$;
  CREATE TRIGGER forget_keys_of_users AFTER DELETE ON users
    REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();
  CREATE TRIGGER forget_keys_of_platforms AFTER DELETE ON platforms
    REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();
`;
