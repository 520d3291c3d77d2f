import type { DataSource, QueryRunner } from 'typeorm';
import { row } from './sql.js';
import type { Queryable } from './sql.js';

/** Thrown when a replica belongs to another installation or is no longer a replica. */
export class NotAReplica extends Error {
  override readonly name = 'NotAReplica';
}

const identity = `SELECT id, pg_is_in_recovery() AS standby FROM instance`;

/** One standby server, connected on first use. */
export class Replica {
  #connected: Promise<unknown> | undefined;

  constructor(private readonly db: DataSource) {}

  /** @param instanceId the installation that it must replicate. */
  async session(instanceId: string): Promise<QueryRunner> {
    this.#connected ??= this.#connect(instanceId);
    try {
      await this.#connected;
    } catch (error) {
      this.#connected = undefined;
      throw error;
    }
    return this.db.createQueryRunner();
  }

  async #connect(instanceId: string): Promise<void> {
    if (!this.db.isInitialized) await this.db.initialize();
    const found = await row<{ id: string; standby: boolean }>(this.db, identity);
    if (found?.id !== instanceId) throw new NotAReplica('it holds another installation');
    if (!found.standby) throw new NotAReplica('it is not a standby server');
  }

  async close(): Promise<void> {
    await this.#connected?.catch(() => undefined);
    if (this.db.isInitialized) await this.db.destroy();
  }
}

/**
 * The primary's log position, past everything answered so far. Unflushed changes can have been
 * answered only if the operator turned synchronous commits off.
 */
export async function logPosition(primary: Queryable): Promise<string> {
  const found = await row<{ position: string }>(
    primary,
    `SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
            ELSE pg_current_wal_flush_lsn() END::text AS position`,
  );
  return found?.position ?? '';
}

/** Whether a standby has replayed up to a position. A promoted standby does not count. */
export async function hasReplayed(session: Queryable, position: string): Promise<boolean> {
  const found = await row<{ replayed: boolean | null }>(
    session,
    `SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= $1::pg_lsn AS replayed`,
    [position],
  );
  return found?.replayed === true;
}
