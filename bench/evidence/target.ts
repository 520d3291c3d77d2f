import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { DataSource } from 'typeorm';
import { run } from '../../src/base/os/run.js';
import { minuteMs, secondMs } from '../../src/base/units.js';
import { createDataSource } from '../../src/database/data-source.js';
import { openDatabase } from '../../src/database/postgres/provision.js';
import { appliance, type Appliance } from '../../testkit/appliance.js';
import type { Answer } from '../../testkit/client.js';
import { logged, PublishedLog } from '../../testkit/custody.js';
import { lastFirst, type Scope } from '../../testkit/scope.js';
import type { Member, Tenant } from '../../testkit/world.js';

/** Compiled, this is in dist/bench/evidence. */
const verifier = fileURLToPath(new URL('../../../bench/evidence/verifier.mjs', import.meta.url));

/** A checkpoint that somebody keeps, and when that was got. */
export interface Kept {
  readonly at: string;
  readonly checkpoint: string;
  /** Where it is, for commands. */
  readonly file: string;
}

/** What the verifier says. */
export interface Found {
  readonly entries: number;
  readonly findings: readonly {
    readonly image?: string;
    readonly entry?: number;
    readonly what: string;
  }[];
}

/** An installation with a process that may be killed, and a session on its database. */
export interface Target {
  readonly serving: Appliance;
  readonly db: DataSource;
  /** Removed at the end. */
  readonly folder: string;
  /** Another reader of the log of a platform, with the verifier. */
  readonly reader: (tenant: Tenant) => Promise<Reader>;
}

export async function openTarget(scope: Scope, args: readonly string[] = []): Promise<Target> {
  const own = lastFirst(scope);
  const settings = ['--timezone', 'UTC', '--log-level', 'error', ...args];
  const serving = await appliance(own, { privately: true, args: settings });
  const database = await openDatabase({ home: serving.home, report: () => undefined });
  own.after(() => database.close());
  const statementTimeoutMs = 600 * secondMs;
  const options = { poolSize: 4, statementTimeoutMs, entities: [], migrations: [] };
  const db = await createDataSource({ url: database.url, ...options }).initialize();
  own.after(() => db.destroy());
  const folder = await mkdtemp(join(tmpdir(), 'imgstore-verifier-'));
  own.after(() => rm(folder, { recursive: true }));
  const reader = async (tenant: Tenant): Promise<Reader> => {
    await logged(db);
    const log = PublishedLog.of(tenant);
    return new Reader(tenant, log, await log.key(), folder);
  };
  return { serving, db, folder, reader };
}

/** Somebody who trusts nobody: keeps the key of a log and checkpoints of it, and runs the verifier. */
export class Reader {
  constructor(
    private readonly tenant: Tenant,
    private readonly log: PublishedLog,
    private readonly key: string,
    private readonly folder: string,
  ) {}

  async keep(): Promise<Kept> {
    const [at, checkpoint] = [new Date().toISOString(), await this.log.checkpoint()];
    const file = join(this.folder, `${at}.txt`);
    await writeFile(file, checkpoint);
    return { at, checkpoint, file };
  }

  async verify(users: readonly Member[], kept: readonly Kept[]): Promise<Found> {
    const access = {
      url: this.tenant.client.base,
      platform: this.tenant.id,
      token: this.tenant.token,
      users: Object.fromEntries(users.map(({ id, token }) => [id, token])),
      key: this.key,
      kept,
    };
    const file = join(this.folder, 'access.json');
    await writeFile(file, JSON.stringify(access), { mode: 0o600 });
    const { code, stdout, output } = await run(process.execPath, [verifier, file]);
    if (code !== 0 && code !== 3) throw new Error(`the verifier ended with ${code}: ${output}`);
    return JSON.parse(stdout) as Found;
  }
}

const [pauseMs, patienceMs] = [100, 5 * minuteMs];

/** Repeats a request until it is answered: the service may be busy, or be killed meanwhile. */
export async function answered<R>(ask: () => Promise<Answer<R>>): Promise<Answer<R>> {
  for (const end = Date.now() + patienceMs; ;) {
    const answer = await ask().catch((error: unknown) => error);
    if (!(answer instanceof Error) && (answer as Answer<R>).status < 500)
      return answer as Answer<R>;
    if (Date.now() > end) throw new Error('no answer', { cause: answer });
    await delay(pauseMs);
  }
}
