import assert from 'node:assert/strict';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { superuser } from '../src/database/postgres/connect.js';
import type { Queryable } from '../src/database/sql.js';
import { checkProof as check } from '../src/feed/custody/check-proof.js';
import { primitives } from '../src/feed/custody/crypto.js';
import { eventually } from './eventually.js';
import { openCheckpoint, readLog, type TreeHead } from './tlog.js';
import type { Call, Client } from './client.js';
import type { Member, Tenant } from './world.js';

/** Waits until the logs have everything that has happened. */
export const logged = (db: Queryable): Promise<void> =>
  eventually('the logs have everything', async () => {
    const [found] = (await db.query(
      `SELECT NOT EXISTS (SELECT FROM custody_entries) AND NOT EXISTS (SELECT FROM custody_scan)
         AND NOT EXISTS (SELECT FROM platforms p WHERE NOT EXISTS (
           SELECT FROM custody_logs l WHERE l.platform_id = p.id AND l.ended_at IS NULL)) AS done`,
    )) as { done: boolean }[];
    return found?.done === true;
  });

/** The proof of an image, which has to be there. */
export async function proofOf(
  member: Member,
  imageId: string,
  query: Call['query'] = {},
): Promise<string> {
  const path = `${member.images}/${imageId}/proof`;
  const answer = await member.tenant.client.raw('GET', path, { as: ['User', member.token], query });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
  return text;
}

export const checkProof = (proof: string, known?: string) => check(proof, primitives, known);

/** What happened to an image, by its proof, which this does not check. */
export const kindsIn = (proof: string): string[] =>
  [...proof.matchAll(/^\d{4}-[\d-]+T[\d:.]+Z (.+)$/gm)].map(([, kinds = '']) => kinds);

/** A platform's log as others read it. */
export class PublishedLog {
  constructor(
    private readonly client: Client,
    private readonly platformId: string,
    private readonly as?: Call['as'],
  ) {}

  static of = ({ client, id, token }: Tenant): PublishedLog =>
    new PublishedLog(client, id, ['Platform', token]);

  raw = (path: string): Promise<Response> =>
    this.client.raw('GET', `/log/${this.platformId}/${path}`, { as: this.as });

  get = async (path: string): Promise<Buffer> => {
    const answer = await this.raw(path);
    const body = Buffer.from(await answer.arrayBuffer());
    assert.equal(answer.status, 200, `${path}: ${body.toString()}`);
    return body;
  };

  key = async (): Promise<string> => (await this.get('key')).toString();
  checkpoint = async (): Promise<string> => (await this.get('checkpoint')).toString();

  /** Its newest head, and all entries, by another reader than ours. */
  async read(): Promise<{ head: TreeHead; entries: Buffer[] }> {
    const head = openCheckpoint(await this.checkpoint(), await this.key());
    return { head, entries: await readLog(this.get, head) };
  }
}

/** Changes rows with all rights and no trigger, as though they had always been so. */
export async function attack(
  db: DataSource,
  work: (tx: Queryable) => Promise<unknown>,
): Promise<void> {
  const { url = '' } = db.options as { url?: string };
  const client = new pg.Client({ connectionString: url.replace(/\/\/[^:@]+/, `//${superuser}`) });
  await client.connect();
  try {
    await client.query('BEGIN; SET LOCAL session_replication_role = replica');
    await work({
      query: async (sql, values) => (await client.query(sql, values)).rows as unknown[],
    });
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

/** Keeps tables as they are now. @returns brings them back. */
export async function kept(
  db: DataSource,
  tables: readonly string[],
): Promise<() => Promise<void>> {
  for (const table of tables) await db.query(`CREATE TABLE kept_${table} AS TABLE ${table}`);
  return () =>
    attack(db, async (tx) => {
      for (const table of tables) {
        const [{ names }] = (await tx.query(
          `SELECT string_agg(quote_ident(attname), ',') AS names FROM pg_attribute
           WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
          [table],
        )) as [{ names: string }];
        await tx.query(`DELETE FROM ${table}`);
        await tx.query(
          `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE SELECT ${names} FROM kept_${table}`,
        );
        await tx.query(`DROP TABLE kept_${table}`);
      }
    });
}
