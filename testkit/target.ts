import type { Home } from '../src/base/config/home.js';
import { eventually } from './eventually.js';
import { imgstore, newHome, newPrivateHome, type Ran } from './command.js';
import type { Client } from './client.js';
import { hosted } from './hosted-command.js';
import { testDatabase } from './database.js';
import type { CreatedPlatform, CreatedUser } from './records.js';
import { serve, type Serving } from './serving.js';
import { lastFirst, type Scope } from './scope.js';

export interface TargetOptions {
  /** Path of another imgstore than the one in this clone. */
  readonly program?: string | undefined;
  /** Settings as flags. */
  readonly flags?: readonly string[];
}

/** The scheme word and token of a caller. */
export type Caller = readonly [scheme: 'Admin' | 'Platform' | 'User', token: string];

/** Runs a command of that program, or of this clone without starting a process. */
const run = (program: string | undefined, args: readonly string[]): Promise<Ran> =>
  program ? imgstore(args, { installed: program }) : hosted(args);

/** The built service in a separate process, which requests may kill. */
export class Target {
  #names = 0;
  #deaths = 0;

  private constructor(
    private readonly scope: Scope,
    readonly home: Home,
    readonly databaseUrl: string | undefined,
    private serving: Serving,
    private readonly options: TargetOptions,
    readonly admin: Caller,
  ) {}

  /** Uses a database on the test runner's server, or a private one if there is no such server. */
  static async start(parent: Scope, options: TargetOptions = {}): Promise<Target> {
    const scope = lastFirst(parent);
    const shared = process.env.IMGSTORE_TEST_DATABASE_URL !== undefined && !options.program;
    const url = shared ? (await testDatabase(scope)).url : undefined;
    const home = await (shared ? newHome(scope) : newPrivateHome(scope));
    const { program } = options;
    const init = ['init', '--yes', '--home', home.dir, ...(url ? ['--database-url', url] : [])];
    const made = await run(program, init);
    if (made.code !== 0) throw new Error(`imgstore init failed: ${made.stderr}${made.stdout}`);
    const installed = program ? { installed: program } : {};
    const serving = await serve(scope, home, options.flags ?? [], 'serve', installed);
    const ran = await run(program, ['admin', 'token', '--home', home.dir, '--json']);
    const { access_token: token } = ran.json<{ access_token: string }>();
    return new Target(scope, home, url, serving, options, ['Admin', token]);
  }

  get pid(): number {
    return this.serving.pid;
  }

  get client(): Client {
    return this.serving.client;
  }

  get port(): number {
    return Number(new URL(this.serving.url).port);
  }

  /** How often it has been restarted. */
  get deaths(): number {
    return this.#deaths;
  }

  /** Whether the process has ended. */
  get dead(): boolean {
    const { exitCode, signalCode } = this.serving.child;
    return exitCode !== null || signalCode !== null;
  }

  /** Waits until a stopping service has ended. @returns false on timeout. */
  gone(): Promise<boolean> {
    return eventually('the service ends', async () => this.dead).then(
      () => true,
      () => false,
    );
  }

  /** Its stderr since the last start. */
  get log(): string {
    return this.serving.log;
  }

  /** Starts it again on the same home. */
  async revive(): Promise<void> {
    const { program, flags = [] } = this.options;
    const installed = program ? { installed: program } : {};
    this.serving = await serve(this.scope, this.home, flags, 'serve', installed);
    this.#deaths += 1;
  }

  /** Runs a command of the same program on the home. */
  command(args: readonly string[]): Promise<Ran> {
    return run(this.options.program, [...args, '--home', this.home.dir]);
  }

  end(): Promise<number | null> {
    return this.serving.end();
  }

  async platform(): Promise<CreatedPlatform> {
    const form = { platform: `platform ${process.pid} ${(this.#names += 1)}` };
    const { result } = await this.client.post<CreatedPlatform>('/api/v1/platforms', {
      as: this.admin,
      form,
    });
    return result;
  }

  async user({ id, access_token: token }: CreatedPlatform): Promise<CreatedUser> {
    const { result } = await this.client.post<CreatedUser>(`/api/v1/platforms/${id}/users`, {
      as: ['Platform', token],
      form: { platform_user_id: `user ${(this.#names += 1)}` },
    });
    return result;
  }
}
