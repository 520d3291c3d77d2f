import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where platforms have changes sent, and how far each has come (docs/adr/0015). Only new tables. */
export class Webhooks0000000000023 implements MigrationInterface {
  readonly name = 'Webhooks0000000000023';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

const tables = `
  CREATE TABLE webhooks (
    id uuid PRIMARY KEY,
    platform_id uuid NOT NULL REFERENCES platforms ON DELETE CASCADE,
    url text NOT NULL,
    types text[],
    description text,
    sealed bytea NOT NULL,
    sealed_before bytea,
    rotated_at timestamptz,
    paused_reason text,
    feed_position bigint NOT NULL,
    user_id uuid NOT NULL,
    seq bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  COMMENT ON COLUMN webhooks.types IS 'which events are sent; all of them if null';
  COMMENT ON COLUMN webhooks.sealed IS 'the secret, encrypted with the master key';
  COMMENT ON COLUMN webhooks.sealed_before IS 'the secret before the latest rotation';
  COMMENT ON COLUMN webhooks.paused_reason IS 'null while it is active';
  COMMENT ON COLUMN webhooks.feed_position IS
    'with user_id and seq: the last entry of the platform''s feed that is in a lane or needs none';
  CREATE INDEX webhooks_platform ON webhooks (platform_id, id);

  -- Users with entries that a webhook has yet to deliver: one after the other, and of different users
  -- side by side. No reference to users, whose last entry outlives them.
  CREATE TABLE webhook_lanes (
    webhook_id uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    user_id uuid NOT NULL,
    seq bigint NOT NULL,
    last bigint NOT NULL,
    failures smallint NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now(),
    claim uuid,
    PRIMARY KEY (webhook_id, user_id)
  );
  COMMENT ON COLUMN webhook_lanes.seq IS 'the next entry to deliver has this number or a later one';
  COMMENT ON COLUMN webhook_lanes.last IS 'the last entry to deliver; a lane before it is empty';
  COMMENT ON COLUMN webhook_lanes.failures IS 'attempts to deliver the next entry that failed';
  COMMENT ON COLUMN webhook_lanes.due_at IS
    'when the next attempt may begin; of a claimed lane, when the claim ends by itself';
  COMMENT ON COLUMN webhook_lanes.claim IS 'who is at it';
  CREATE INDEX webhook_lanes_due ON webhook_lanes (webhook_id, due_at);

  CREATE TABLE webhook_deliveries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    webhook_id uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    at timestamptz NOT NULL DEFAULT now(),
    message_id text NOT NULL,
    type text NOT NULL,
    user_id uuid NOT NULL,
    seq bigint NOT NULL,
    attempt smallint NOT NULL,
    status smallint,
    error text,
    ms integer NOT NULL
  );
  COMMENT ON TABLE webhook_deliveries IS 'the latest attempts of each webhook';
  COMMENT ON COLUMN webhook_deliveries.status IS 'of the answer; null if there was none';
  CREATE INDEX webhook_deliveries_latest ON webhook_deliveries (webhook_id, id);
`;
