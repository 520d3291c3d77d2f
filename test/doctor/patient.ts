import assert from 'node:assert/strict';
import pg from 'pg';
import type { Home } from '../../src/base/config/home.js';
import type { Level } from '../../src/ops/doctor/check.js';
import { imgstore } from '../../testkit/command.js';
import { hosted } from '../../testkit/hosted-command.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { lastFirst, type Scope } from '../../testkit/scope.js';

/** The result of a check in `doctor --json`. */
export interface CheckResult {
  readonly name: string;
  readonly level: Level;
  readonly message: string;
  readonly remedy: string | null;
  readonly fixable: boolean;
  readonly fixed: string | null;
}

/** Options for running doctor. */
export interface Circumstances {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Run in a new process, for variables that Node.js reads at its start. */
  readonly alone?: boolean;
}

/** Undoes a fault. */
export type Undo = () => Promise<unknown>;

/** A home with a database, in which tests cause faults for doctor to find. */
export class Patient {
  private constructor(
    readonly home: Home,
    readonly url: string,
    private readonly usual: Circumstances,
  ) {}

  /** Creates one with a local store. */
  static async admit(parent: Scope): Promise<Patient> {
    const { home, url } = await initializedHome(lastFirst(parent));
    return Patient.of(home, url);
  }

  /** @param usual arguments for every run of doctor. */
  static of(home: Home, url: string, usual: Circumstances = {}): Patient {
    return new Patient(home, url, usual);
  }

  /** Runs these checks of doctor, or all. */
  async examined(
    only: readonly string[],
    circumstances: Circumstances = {},
  ): Promise<CheckResult[]> {
    const { args = [], env = {}, alone = false } = circumstances;
    const chosen = only.length > 0 ? ['--only', only.join(',')] : [];
    const words = [...chosen, ...(this.usual.args ?? []), ...args];
    const ran = await (alone ? imgstore : hosted)(
      ['doctor', '--home', this.home.dir, '--json', ...words],
      {
        env: { ...this.usual.env, ...env },
      },
    );
    const { checks, problems } = ran.json<{ checks: CheckResult[]; problems: number }>();
    assert.equal(ran.code, problems > 0 ? 3 : 0, ran.stdout + ran.stderr);
    return checks;
  }

  /** Runs one check of doctor. */
  async check(check: string, circumstances: Circumstances = {}): Promise<CheckResult> {
    const [result] = await this.examined([check], circumstances);
    assert.ok(result, check);
    return result;
  }

  /** Runs statements as the owner of the database, in one session. */
  sql(...statements: readonly string[]): Promise<void> {
    return execute(this.url, statements);
  }

  /** Runs statements as a superuser, who may change the catalogs. */
  asSuperuser(...statements: readonly string[]): Promise<void> {
    return execute(this.url.replace('://imgstore:', '://postgres:'), statements);
  }
}

async function execute(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
