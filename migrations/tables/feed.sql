-- The change feed, and where platforms have changes sent (docs/adr/0015).

CREATE TYPE change_entry AS (type smallint, action smallint, id uuid, image_id uuid);

CREATE TABLE changes (
  seq bigint NOT NULL,
  feed_position bigint NOT NULL,
  at timestamptz NOT NULL,
  user_id uuid NOT NULL,
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  type smallint NOT NULL,
  action smallint NOT NULL,
  -- Defaults, since triggers write the entries: whoever changes something says who, and by which token, in
  -- settings of the transaction.
  actor smallint NOT NULL DEFAULT
    coalesce(array_position('{user,platform,admin,system}', current_setting('imgstore.actor', true)), 1),
  image_id uuid,
  token_id uuid DEFAULT (NULLIF(current_setting('imgstore.token'::text, true), ''::text))::uuid,
  PRIMARY KEY (user_id, seq)
);
COMMENT ON TABLE changes IS 'what changed of users'' records; stays when the user is deleted';
COMMENT ON COLUMN changes.token_id IS 'jti of the token, or id of its session; null for the terminal and for jobs';
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
  updated_at timestamptz NOT NULL DEFAULT now(),
  made_with jsonb
);
COMMENT ON COLUMN webhooks.made_with IS 'id and name of the narrow token or session that made it';
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
