CREATE TABLE job_runs (
  job text NOT NULL,
  began_at timestamptz NOT NULL,
  ended_at timestamptz,
  error text,
  PRIMARY KEY (job, began_at)
);
COMMENT ON TABLE job_runs IS 'the latest runs of each scheduled job, on whichever node';
COMMENT ON COLUMN job_runs.ended_at IS 'null while it runs, and if it was interrupted';
