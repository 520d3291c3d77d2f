-- Changes of whole trees and users that were begun and are finished in batches, whoever dies meanwhile: of one
-- user, one after the other by their ids.
CREATE TABLE bulk_changes (
  id uuid PRIMARY KEY,
  platform_id uuid NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  folder_id uuid,
  root_id uuid,
  trashed_at timestamptz,
  actor text NOT NULL,
  token text NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT bulk_changes_kind_check CHECK (kind IN ('trash', 'restore', 'delete', 'user'))
);
COMMENT ON COLUMN bulk_changes.folder_id IS 'whose tree it is; null: all that the user has';
COMMENT ON COLUMN bulk_changes.trashed_at IS 'with root_id, the trashing that is made or undone';
COMMENT ON COLUMN bulk_changes.token IS 'to which the change feed attributes it';
CREATE INDEX bulk_changes_user ON bulk_changes (user_id, id);
