import { nameList, selectList, without } from '../../database/columns.js';
import { column, onlyRow, onlyValue, type Queryable, row, rows } from '../../database/sql.js';
import {
  contentRoundColumns,
  findingColumns,
  verificationColumns,
  type ContentRound,
  type VerificationRow,
} from './entity.js';
import { maxListed, type Finding, type Kind } from './findings.js';

type VerificationScope = 'objects' | 'contents';

export interface VerifiedCounts {
  readonly versions: number;
  readonly objects: number;
  readonly bytes: number;
}

export const recordBegin = (db: Queryable, scope: VerificationScope): Promise<unknown> =>
  rows(
    db,
    `INSERT INTO verifications (scope, began_at) VALUES ($1, clock_timestamp())
     ON CONFLICT (scope) DO UPDATE SET began_at = excluded.began_at`,
    [scope],
  );

export const recordEnd = (
  db: Queryable,
  scope: VerificationScope,
  counts: VerifiedCounts,
): Promise<unknown> =>
  rows(
    db,
    `UPDATE verifications
     SET ended_at = clock_timestamp(), versions = $2, objects = $3, bytes = $4 WHERE scope = $1`,
    [scope, counts.versions, counts.objects, counts.bytes],
  );

export const selectRuns = (db: Queryable): Promise<VerificationRow[]> =>
  rows(db, `SELECT ${selectList(verificationColumns)} FROM verifications`);

/** Whether reading the bytes was started within this many hours. */
export const startedWithin = async (db: Queryable, hours: number): Promise<boolean> =>
  (await row(
    db,
    `SELECT FROM verifications
     WHERE scope = 'contents' AND began_at > now() - make_interval(hours => $1)`,
    [hours],
  )) !== undefined;

const roundColumns = without(contentRoundColumns, 'singleton');

type RoundRow = Omit<ContentRound, 'singleton'>;

export const selectRound = (db: Queryable): Promise<RoundRow> =>
  onlyRow(db, `SELECT ${selectList(roundColumns)} FROM content_rounds`);

/** Records that the versions up to this one have been read. */
export const advanceRound = (
  db: Queryable,
  upTo: string,
  { versions, bytes }: Pick<VerifiedCounts, 'versions' | 'bytes'>,
): Promise<unknown> =>
  rows(
    db,
    `UPDATE content_rounds
     SET up_to = $1, versions = versions + $2, bytes = bytes + $3,
         began_at = CASE WHEN up_to IS NULL THEN clock_timestamp() ELSE began_at END`,
    [upTo, versions, bytes],
  );

/** The next round begins with the first version. */
export const endRound = (db: Queryable): Promise<unknown> =>
  rows(
    db,
    `UPDATE content_rounds
     SET last_began_at = began_at, last_ended_at = clock_timestamp(), began_at = clock_timestamp(),
         up_to = NULL, versions = 0, bytes = 0`,
  );

/** Deletes all findings of these kinds. */
export const deleteFindings = (db: Queryable, kinds: readonly Kind[]): Promise<unknown> =>
  rows(db, 'DELETE FROM verification_findings WHERE kind = ANY ($1::text[])', [kinds]);

export const deleteFindingsAbout = (db: Queryable, keys: readonly string[]): Promise<unknown> =>
  rows(db, 'DELETE FROM verification_findings WHERE key = ANY ($1::text[])', [keys]);

const written = without(findingColumns, 'foundAt');

/** Inserts findings up to the limit. Existing findings about a key stay. */
export const insertFindings = (db: Queryable, found: readonly Finding[]): Promise<unknown> =>
  rows(
    db,
    `INSERT INTO verification_findings (${nameList(written)})
     SELECT ${nameList(written)}
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[])
       AS f (${nameList(written)})
     LIMIT greatest(0, ${maxListed} - (SELECT count(*) FROM verification_findings))
     ON CONFLICT (key) DO NOTHING`,
    [
      found.map(({ subject }) => subject),
      found.map(({ kind }) => kind),
      found.map(({ expected }) => expected),
      found.map((f) => f.found),
      found.map(({ reason }) => reason),
    ],
  );

/** Keys of objects with findings of these kinds, the oldest first. */
export const selectFoundKeys = (db: Queryable, kinds: readonly Kind[]): Promise<string[]> =>
  column(
    db,
    `SELECT key FROM verification_findings
     WHERE kind = ANY ($1::text[]) ORDER BY found_at, key`,
    [kinds],
  );

export const countFindings = (db: Queryable): Promise<number> =>
  onlyValue(db, 'SELECT count(*)::integer AS n FROM verification_findings');
