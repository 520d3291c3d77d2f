import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { stringify } from 'yaml';
import { serverIdentity } from '../../src/database/postgres/cluster-files.js';
import { requiredExtensions } from '../../src/database/postgres/engine.js';
import { urlOfWriter } from '../../src/database/hosts.js';
import { findEngine } from '../../src/database/postgres/ensure-engine.js';
import { serverProcesses } from '../../src/database/postgres/postmaster.js';
import { minuteMs, secondMs } from '../../src/base/units.js';
import { eventually } from '../../testkit/eventually.js';
import { freePort } from '../../testkit/nginx.js';
import type { Scope } from '../../testkit/scope.js';

interface Member {
  readonly name: string;
  readonly config: string;
  readonly data: string;
  /** Ports of the database, of Patroni's API, and of its Raft. */
  readonly port: number;
  readonly api: number;
  readonly raft: number;
  process: ChildProcess | undefined;
}

const count = 3;

/** Three PostgreSQL servers of which Patroni makes one the primary; commits wait for another. */
export class PatroniCluster {
  private constructor(
    private readonly members: readonly Member[],
    private readonly password: string,
    private readonly identity: { readonly uid: number; readonly gid: number } | undefined,
  ) {}

  /** @param dir for their data. */
  static async start(scope: Scope, dir: string): Promise<PatroniCluster> {
    const engine = await findEngine(join(dir, 'engine'));
    if (!engine) throw new Error('there is no PostgreSQL with PostGIS on this machine');
    const password = randomBytes(16).toString('hex');
    const identity = await serverIdentity(join(dir, 'none'));
    const members: Member[] = [];
    for (let n = 1; n <= count; n += 1) {
      const [port, api, raft] = [await freePort(), await freePort(), await freePort()];
      const name = `db${n}`;
      const config = join(dir, `${name}.yml`);
      const data = join(dir, name, 'data');
      members.push({ name, config, data, port, api, raft, process: undefined });
    }
    for (const member of members) {
      const own = join(dir, member.name);
      await mkdir(own, { mode: 0o700 });
      const text = stringify(configOf(member, members, { dir: own, bin: engine.bin, password }));
      await writeFile(member.config, text, { mode: 0o600 });
      for (const path of [own, member.config]) {
        if (identity) await chown(path, identity.uid, identity.gid);
      }
    }
    const cluster = new PatroniCluster(members, password, identity);
    scope.after(() => cluster.#end());
    for (const member of members) cluster.run(member);
    await cluster.becomesWhole();
    await cluster.#createDatabase();
    return cluster;
  }

  get url(): string {
    const hosts = this.members.map(({ port }) => `127.0.0.1:${port}`).join();
    return `postgresql://imgstore:${this.password}@${hosts}/imgstore?target_session_attrs=read-write`;
  }

  /** URL of the server that takes writes. */
  writerUrl = (): Promise<string> => urlOfWriter(this.url);

  /** Starts the Patroni of a member, which starts its server. */
  run(member: Member): void {
    member.process = spawn('patroni', [member.config], {
      stdio: 'ignore',
      cwd: '/',
      ...this.identity,
    });
  }

  /** The member that Patroni calls its leader. */
  async primary(): Promise<Member> {
    for (const member of this.members) if (await says(member, 'primary')) return member;
    throw new Error('there is no primary');
  }

  /** Waits until there have been a primary, a synchronous standby, and another one for a while. */
  becomesWhole(): Promise<void> {
    let times = 0;
    return eventually(
      'a primary and two standbys',
      async () => {
        await delay(secondMs / 2); // it is busy enough
        times = (await this.#isWhole()) ? times + 1 : 0;
        return times > 12; // each member may know of the others late
      },
      5 * minuteMs,
    );
  }

  async #isWhole(): Promise<boolean> {
    const asked = (path: string) => Promise.all(this.members.map((member) => says(member, path)));
    const [primaries, standbys, synchronous] = await Promise.all(
      ['primary', 'replica', 'synchronous'].map(asked),
    );
    const countOf = (answers: readonly boolean[] = []) => answers.filter(Boolean).length;
    return countOf(primaries) === 1 && countOf(standbys) === count - 1 && countOf(synchronous) > 0;
  }

  /**
   * Sends a signal to Patroni and the server of a member, as to a whole machine.
   * @param pids its processes. @returns them.
   */
  async signal(
    { process: patroni, data }: Member,
    signal: NodeJS.Signals,
    pids?: readonly number[],
  ): Promise<readonly number[]> {
    const all = pids ?? [
      ...(patroni?.pid === undefined ? [] : [patroni.pid]),
      ...(await serverProcesses(data, this.identity).catch(() => [])), // not there yet
    ];
    for (const pid of all) {
      try {
        process.kill(pid, signal);
      } catch {
        // it has ended
      }
    }
    return all;
  }

  /** Makes another member the primary, in an orderly way. */
  async switchOver({ name, api }: Member): Promise<void> {
    const body = JSON.stringify({ leader: name });
    const answer = await fetch(`http://127.0.0.1:${api}/switchover`, { method: 'POST', body });
    if (!answer.ok) throw new Error(`Patroni refuses: ${await answer.text()}`);
  }

  async #createDatabase(): Promise<void> {
    const { port } = await this.primary();
    const statements = [
      [
        `CREATE ROLE imgstore LOGIN PASSWORD '${this.password}'`,
        'CREATE DATABASE imgstore OWNER imgstore',
      ],
      requiredExtensions.map((name) => `CREATE EXTENSION ${name}`),
    ];
    for (const [i, database] of ['postgres', 'imgstore'].entries()) {
      const login = {
        host: '127.0.0.1',
        port,
        user: 'postgres',
        password: this.password,
        database,
      };
      const client = new pg.Client(login);
      await client.connect();
      for (const sql of statements[i] ?? []) await client.query(sql);
      await client.end();
    }
  }

  async #end(): Promise<void> {
    for (const member of this.members) {
      await this.signal(member, 'SIGKILL');
      const { process: child } = member;
      if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
  }
}

/** What a member says to load balancers. */
const says = ({ api }: Member, path: string): Promise<boolean> =>
  fetch(`http://127.0.0.1:${api}/${path}`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

function configOf(
  member: Member,
  all: readonly Member[],
  { dir, bin, password }: { readonly dir: string; readonly bin: string; readonly password: string },
) {
  const { name, data, port, api, raft } = member;
  const at = (at: number): string => `127.0.0.1:${at}`;
  return {
    scope: 'imgstore',
    name,
    log: { dir },
    restapi: { listen: at(api), connect_address: at(api) },
    raft: {
      data_dir: join(dir, 'raft'),
      self_addr: at(raft),
      partner_addrs: all.filter((other) => other !== member).map((other) => at(other.raft)),
    },
    bootstrap: {
      dcs: {
        ttl: 20, // the least that it accepts
        loop_wait: 2,
        retry_timeout: 3,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 150 } },
      },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
      pg_hba: [
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
      ],
    },
    postgresql: {
      listen: at(port),
      connect_address: at(port),
      data_dir: data,
      bin_dir: bin,
      pgpass: join(dir, 'pgpass'), // instead of one in HOME
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'postgres', password },
      },
      parameters: { unix_socket_directories: dir },
    },
  };
}
