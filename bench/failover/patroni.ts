import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { parse, stringify } from 'yaml';
import { processStart } from '../../testkit/processes.js';
import type { Identity } from '../../src/base/os/run.js';
import { serverIdentity } from '../../src/database/postgres/cluster-files.js';
import { requiredExtensions } from '../../src/database/postgres/engine.js';
import { urlOfWriter } from '../../src/database/hosts.js';
import { findEngine } from '../../src/database/postgres/ensure-engine.js';
import { minuteMs, secondMs } from '../../src/base/units.js';
import { eventually } from '../../testkit/eventually.js';
import { withDescendants } from '../../testkit/processes.js';
import type { Scope } from '../../testkit/scope.js';
import { Network } from './network.js';

/** Of a server, of Patroni's API, and of its Raft. */
const ports = { server: 5432, api: 8008, raft: 2222 };

/** What docker/ has, and docs/nodes.md explains. */
const shipped = parse(readFileSync('docker/patroni/patroni.yml', 'utf8')) as {
  readonly bootstrap: { readonly dcs: object };
};

export interface Member {
  /** In the network. */
  readonly machine: number;
  readonly name: string;
  readonly config: string;
  readonly data: string;
  process: ChildProcess | undefined;
}

const count = 3;

/** Three PostgreSQL servers of which Patroni makes one the primary; commits wait for another. */
export class PatroniCluster {
  private constructor(
    readonly network: Network,
    private readonly members: readonly Member[],
    private readonly password: string,
    private readonly identity: Identity,
  ) {}

  /** @param dir for their data. */
  static async start(scope: Scope, dir: string): Promise<PatroniCluster> {
    const engine = await findEngine(join(dir, 'engine'));
    if (!engine) throw new Error('there is no PostgreSQL with PostGIS on this machine');
    const identity = await serverIdentity(join(dir, 'none'));
    if (!identity) throw new Error('networks of their own need root');
    const network = await Network.create(scope, count);
    const password = randomBytes(16).toString('hex');
    const members: Member[] = [];
    for (let machine = 1; machine <= count; machine += 1) {
      const name = `db${machine}`;
      const own = join(dir, name);
      const config = join(dir, `${name}.yml`);
      await mkdir(own, { mode: 0o700 });
      const text = configOf(machine, count, { dir: own, bin: engine.bin, password });
      await writeFile(config, stringify(text), { mode: 0o600 });
      for (const path of [own, config]) await chown(path, identity.uid, identity.gid);
      members.push({ machine, name, config, data: join(own, 'data'), process: undefined });
    }
    const cluster = new PatroniCluster(network, members, password, identity);
    scope.after(() => cluster.#end());
    for (const member of members) cluster.run(member);
    await cluster.becomesWhole();
    await cluster.#createDatabases();
    return cluster;
  }

  get url(): string {
    return this.#urlOf('imgstore', this.members);
  }

  /** One for each server, of a database that only probes use. */
  get probeUrls(): string[] {
    return this.members.map((member) => this.#urlOf('probe', [member]));
  }

  #urlOf(database: string, members: readonly Member[]): string {
    const hosts = members.map(({ machine }) => `${Network.addressOf(machine)}:${ports.server}`);
    const query = members.length > 1 ? '?target_session_attrs=read-write' : '';
    return `postgresql://imgstore:${this.password}@${hosts.join()}/${database}${query}`;
  }

  /** URL of the server that takes writes. */
  writerUrl = (): Promise<string> => urlOfWriter(this.url);

  /** Starts the Patroni of a member, which starts its server. */
  run(member: Member): void {
    const { uid, gid } = this.identity;
    const as = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
    const [program = '', ...args] = [...this.network.commandOn(member.machine), ...as];
    args.push('patroni', member.config);
    member.process = spawn(program, args, { stdio: 'ignore', cwd: '/' });
  }

  /** The member that Patroni calls its leader. */
  async primary(): Promise<Member> {
    for (const member of this.members) if (await this.#says(member, 'primary')) return member;
    throw new Error('there is no primary');
  }

  async standby(): Promise<Member> {
    const { machine } = await this.primary();
    const found = this.members.find((member) => member.machine !== machine);
    if (!found) throw new Error('there is no standby');
    return found;
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
    const asked = (path: string) =>
      Promise.all(this.members.map((member) => this.#says(member, path)));
    const [primaries, standbys, synchronous] = await Promise.all(
      ['primary', 'replica', 'synchronous'].map(asked),
    );
    const countOf = (answers: readonly boolean[] = []) => answers.filter(Boolean).length;
    return countOf(primaries) === 1 && countOf(standbys) === count - 1 && countOf(synchronous) > 0;
  }

  /** The processes of a member's server. */
  async serverOf({ data }: Member): Promise<number[]> {
    const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n', 1);
    return withDescendants([Number(pid)].filter((id) => processStart(id) !== undefined));
  }

  /** The processes of a member's server and of its Patroni. */
  async processesOf(member: Member): Promise<number[]> {
    const server = await this.serverOf(member).catch(() => []); // not there yet
    const patroni = member.process?.pid;
    return patroni === undefined ? server : [patroni, ...server];
  }

  /** Makes another member the primary, in an orderly way. */
  async switchOver({ machine, name }: Member): Promise<void> {
    const body = JSON.stringify({ leader: name });
    const answer = await fetch(this.#api(machine, 'switchover'), { method: 'POST', body });
    if (!answer.ok) throw new Error(`Patroni refuses: ${await answer.text()}`);
  }

  #api = (machine: number, path: string): string =>
    `http://${Network.addressOf(machine)}:${ports.api}/${path}`;

  /** What a member says to load balancers. */
  #says({ machine }: Member, path: string): Promise<boolean> {
    return fetch(this.#api(machine, path), { signal: AbortSignal.timeout(2 * secondMs) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  async #createDatabases(): Promise<void> {
    const { machine } = await this.primary();
    const statements = {
      postgres: [
        `CREATE ROLE imgstore LOGIN PASSWORD '${this.password}'`,
        'CREATE DATABASE imgstore OWNER imgstore',
        'CREATE DATABASE probe OWNER imgstore',
      ],
      imgstore: requiredExtensions.map((name) => `CREATE EXTENSION ${name}`),
      probe: ['CREATE TABLE probes (at timestamptz)', 'GRANT INSERT ON probes TO imgstore'],
    };
    for (const [database, all] of Object.entries(statements)) {
      const client = new pg.Client({
        host: Network.addressOf(machine),
        port: ports.server,
        user: 'postgres',
        password: this.password,
        database,
      });
      await client.connect();
      for (const sql of all) await client.query(sql);
      await client.end();
    }
  }

  async #end(): Promise<void> {
    for (const member of this.members) {
      signal(await this.processesOf(member), 'SIGKILL');
      const { process: child } = member;
      if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
  }
}

interface Local {
  /** Of the member. */
  readonly dir: string;
  readonly bin: string;
  readonly password: string;
}

/** The configuration of the Patroni of a machine among so many. */
function configOf(machine: number, count: number, { dir, bin, password }: Local) {
  const at = (port: number, on = machine): string => `${Network.addressOf(on)}:${port}`;
  const others = Array.from({ length: count }, (_, n) => n + 1).filter((n) => n !== machine);
  return {
    scope: 'imgstore',
    name: `db${machine}`,
    log: { dir },
    restapi: { listen: at(ports.api), connect_address: at(ports.api) },
    raft: {
      data_dir: join(dir, 'raft'),
      self_addr: at(ports.raft),
      partner_addrs: others.map((other) => at(ports.raft, other)),
    },
    bootstrap: {
      dcs: shipped.bootstrap.dcs,
      initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
      pg_hba: [
        `host all all ${Network.range} scram-sha-256`,
        `host replication replicator ${Network.range} scram-sha-256`,
      ],
    },
    postgresql: {
      listen: at(ports.server),
      connect_address: at(ports.server),
      data_dir: join(dir, 'data'),
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

export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // it has ended
    }
  }
}
