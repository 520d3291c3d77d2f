import type { MigrationInterface, QueryRunner } from 'typeorm';
import { actions } from './0020-change-posting.js';

/** Links for people without an account, and what arrives through them (docs/adr/0021). */
export class Links0000000000040 implements MigrationInterface {
  readonly name = 'Links0000000000040';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    await runner.query(tellings);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

const tables = `
  CREATE TABLE links (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    kind text NOT NULL,
    folder_id uuid,
    image_ids uuid[],
    secret_hash bytea NOT NULL,
    title text,
    message text,
    password_hash bytea,
    allow_download boolean NOT NULL,
    show_place boolean NOT NULL,
    is_paused boolean NOT NULL DEFAULT false,
    expires_at timestamptz NOT NULL,
    visits bigint NOT NULL DEFAULT 0,
    last_visit_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz,
    CONSTRAINT links_kind_check CHECK (kind IN ('view', 'request')),
    CONSTRAINT links_target_check CHECK ((folder_id IS NULL) <> (image_ids IS NULL)),
    CONSTRAINT links_secret_hash_key UNIQUE (secret_hash)
  );
  COMMENT ON COLUMN links.folder_id
    IS 'not a foreign key: a link to a deleted folder stays, and opens nothing';
  COMMENT ON COLUMN links.image_ids IS 'in the order given; those of deleted images stay, and open nothing';
  COMMENT ON COLUMN links.secret_hash IS 'SHA-256 of the part of the URL that gives access';
  COMMENT ON COLUMN links.password_hash IS 'salt (16 bytes) and scrypt of the password (32 bytes)';
  COMMENT ON COLUMN links.deleted_at
    IS 'kept for a while without its content, to tell that it ended from that it never was';
  CREATE INDEX links_newest ON links (user_id, created_at, id) WHERE deleted_at IS NULL;
  CREATE INDEX links_ended ON links (user_id, deleted_at) WHERE deleted_at IS NOT NULL;

  -- What has arrived through links, so that a repeat makes no second image.
  CREATE TABLE link_arrivals (
    link_id uuid NOT NULL REFERENCES links ON DELETE CASCADE,
    hash bytea NOT NULL,
    image_id uuid NOT NULL,
    PRIMARY KEY (link_id, hash)
  );
  COMMENT ON COLUMN link_arrivals.image_id IS 'not a foreign key: it arrived, whatever became of it';
  CREATE INDEX link_arrivals_image ON link_arrivals (link_id, image_id);
`;

/** What an entry of the change feed is of. */
const link = 8;

const tellings = `
  -- Visits are nothing to tell.
  CREATE FUNCTION post_link() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    PERFORM post_change(
      NEW.user_id, ${link}::int2,
      CASE WHEN TG_OP = 'INSERT' THEN ${actions.created} WHEN NEW.deleted_at IS NOT NULL THEN ${actions.deleted} ELSE ${actions.updated} END::int2,
      NEW.id, NULL);
    RETURN NULL;
  END $function$;

  CREATE TRIGGER post_link AFTER INSERT ON links FOR EACH ROW EXECUTE FUNCTION post_link();
  CREATE TRIGGER post_changed_link AFTER UPDATE ON links FOR EACH ROW
    -- Not as rows: a restored condition would have other parentheses.
    WHEN (OLD.title IS DISTINCT FROM NEW.title
          OR OLD.message IS DISTINCT FROM NEW.message
          OR OLD.password_hash IS DISTINCT FROM NEW.password_hash
          OR OLD.allow_download IS DISTINCT FROM NEW.allow_download
          OR OLD.show_place IS DISTINCT FROM NEW.show_place
          OR OLD.is_paused IS DISTINCT FROM NEW.is_paused
          OR OLD.expires_at IS DISTINCT FROM NEW.expires_at
          OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
    EXECUTE FUNCTION post_link();
`;
