import type { MigrationInterface, QueryRunner } from 'typeorm';
import { actions, posting, things } from './0020-change-posting.js';
import { tellings } from './0020-change-triggers.js';

/**
 * The sequence of changes of each user, kept by triggers like the accounts of migration 2
 * (docs/adr/0015).
 *
 * Writes the rows of all users once, a second or so per hundred thousand; changes wait meanwhile,
 * reads do not. Images are not looked at.
 */
export class Changes0000000000020 implements MigrationInterface {
  readonly name = 'Changes0000000000020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    await runner.query(posting);
    await runner.query(begin);
    await runner.query(tellings);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

// The user's counter has no index, so that it changes in place.
const tables = `
  LOCK TABLE users, images, image_versions, folders, memos, customs IN SHARE ROW EXCLUSIVE MODE;

  ALTER TABLE users
    ADD COLUMN change_seq bigint NOT NULL DEFAULT 0,
    ADD COLUMN change_first bigint NOT NULL DEFAULT 0,
    ADD COLUMN change_xact bigint NOT NULL DEFAULT 0,
    ADD COLUMN change_position bigint NOT NULL DEFAULT 0;
  COMMENT ON COLUMN users.change_seq IS 'number of the user''s latest change';
  COMMENT ON COLUMN users.change_first IS 'number of the first change of the transaction change_xact';
  COMMENT ON COLUMN users.change_position IS 'position of the latest change in the platform''s feed';

  CREATE TABLE changes (
    seq bigint NOT NULL,
    feed_position bigint NOT NULL,
    at timestamptz NOT NULL,
    user_id uuid NOT NULL,
    platform_id uuid NOT NULL,
    id uuid NOT NULL,
    type smallint NOT NULL,
    action smallint NOT NULL,
    actor smallint NOT NULL,
    image_id uuid,
    digest bytea,
    PRIMARY KEY (user_id, seq)
  );
  COMMENT ON TABLE changes IS 'what changed of users'' records; stays when the user is deleted';
  COMMENT ON COLUMN changes.digest IS 'room for a proof of what the entry says; not used yet';
  CREATE INDEX changes_platform ON changes (platform_id, feed_position, user_id, seq);

  -- One row: what is added to transaction ids, which begin anew when a dump is restored elsewhere.
  CREATE TABLE feed_clock (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    xid_offset bigint NOT NULL DEFAULT 0
  );
  INSERT INTO feed_clock DEFAULT VALUES;

  -- The newest entry of each platform that is no longer kept.
  CREATE TABLE feed_expiry (
    platform_id uuid PRIMARY KEY REFERENCES platforms ON DELETE CASCADE,
    feed_position bigint NOT NULL,
    user_id uuid NOT NULL,
    seq bigint NOT NULL
  );
`;

const begin = `
  INSERT INTO changes (user_id, seq, platform_id, feed_position, at, type, action, actor, id)
  SELECT id, 1, platform_id, own, now(), ${things.user}, ${actions.created}, 4, id
  FROM users, (SELECT feed_position() AS own OFFSET 0) AS clock;

  UPDATE users SET change_seq = 1, change_first = 1, change_xact = own, change_position = own
  FROM (SELECT feed_position() AS own OFFSET 0) AS clock;
`;
