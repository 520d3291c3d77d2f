import { DatabaseServer } from './database-servers.js';
import type { Scope } from './scope.js';

/** A standby server that streams from a primary, on Unix sockets only. */
class TestReplica {
  constructor(
    private readonly source: DatabaseServer,
    private readonly server: DatabaseServer,
  ) {}

  get primary(): string {
    return this.source.url;
  }

  get url(): string {
    return this.server.url;
  }

  start = () => this.server.start();
  end = (signal: NodeJS.Signals) => this.server.end(signal);

  /** Stops applying changes; the replica still receives them. */
  pause = () => this.server.ask('SELECT pg_wal_replay_pause()');
  resume = () => this.server.ask('SELECT pg_wal_replay_resume()');

  /** Waits until it has replayed everything that the primary has. */
  catchUp = () => this.source.replicatedTo(this.server);

  /** The number of its connections whose last statement matches the pattern. */
  async ran(pattern: string): Promise<number> {
    const sql = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'imgstore' AND query LIKE '${pattern}'`;
    return (await this.server.ask<{ n: number }>(sql)).n;
  }
}

/** A primary with one replica. @param scope ends in reverse order of starting. */
export async function replicated(scope: Scope): Promise<TestReplica> {
  const source = await DatabaseServer.create(scope);
  return new TestReplica(source, await source.standby(scope));
}
