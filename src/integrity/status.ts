import type { Queryable } from '../database/sql.js';
import { countFindings, selectRound, selectRuns } from './queries.js';

const instantOf = (time: Date | null | undefined): string | null => time?.toISOString() ?? null;

/** What is known of the stored objects: when they were verified, how far, and what is wrong. */
export async function verificationStatus(db: Queryable) {
  const runs = new Map((await selectRuns(db)).map((run) => [run.scope, run]));
  const { beganAt, upTo, versions, bytes, lastEndedAt } = await selectRound(db);
  const contents = runs.get('contents');
  return {
    /** When "verify" last looked for all objects and their rows. */
    objects_verified_at: instantOf(runs.get('objects')?.endedAt),
    /** When bytes were last read, by "verify --deep" or in the night. */
    contents_read_at: instantOf(contents?.endedAt),
    contents_read_bytes: contents?.bytes ?? 0,
    /** When all had been read once more. */
    round_ended_at: instantOf(lastEndedAt),
    /** The round that is under way. */
    round: {
      began_at: upTo === null ? null : beganAt.toISOString(),
      versions,
      bytes,
    },
    /** Objects that were wrong when they were last looked at; at most 1,000 are kept. */
    differences: await countFindings(db),
  };
}

export type VerificationStatus = Awaited<ReturnType<typeof verificationStatus>>;
