import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Home } from '../src/base/config/home.js';
import { readLock } from '../src/base/os/process-lock.js';
import { Client } from './client.js';
import {
  imgstore,
  newHome,
  newPrivateHome,
  postmasterPid,
  start,
  type Failure,
  type Ran,
  type RunOptions,
} from './command.js';
import { homeWithCluster } from './copied-home.js';
import { testDatabase } from './database.js';
import { eventually } from './eventually.js';
import { hosted } from './hosted-command.js';
import { killNow, withDescendants } from './processes.js';
import type { CreatedPlatform, CreatedUser } from './records.js';
import { lastFirst, type Scope } from './scope.js';
import { Member, Tenant, World } from './world.js';

/** What `imgstore serve --json` prints once it is serving; `up` adds its first tokens. */
interface Greeting {
  readonly address: string;
  readonly admin?: { readonly access_token: string };
  readonly platform?: CreatedPlatform;
  readonly user?: CreatedUser;
}

/** A process that serves. */
interface Run {
  readonly child: ChildProcessWithoutNullStreams;
  readonly greeting: Greeting;
  /** Everything on stderr so far. */
  log: string;
}

type Command = 'serve' | 'up';

/** imgstore as it is installed: a process with a home, which a test may kill and start again. */
export class Appliance {
  /** Knows the service wherever it is started again, and so do the platforms and users of this client. */
  readonly client: Client;
  readonly #first: Greeting;
  #run: Run;
  #world: World | undefined;
  #deaths = 0;

  /**
   * @param databaseUrl undefined for a private database.
   * @param again starts another process on the same home.
   */
  constructor(
    readonly home: Home,
    run: Run,
    readonly databaseUrl?: string,
    private readonly again?: (args: readonly string[]) => Promise<Run>,
    private readonly program?: string,
  ) {
    this.#run = run;
    this.#first = run.greeting;
    this.client = new Client(this.url);
  }

  get child(): ChildProcessWithoutNullStreams {
    return this.#run.child;
  }

  /** The URL that the service listens at. */
  get url(): string {
    return this.#run.greeting.address;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Everything on stderr since the last start. */
  get log(): string {
    return this.#run.log;
  }

  /** The process that was started: `serve`, or `up`, whose child that is. */
  get pid(): number {
    return this.child.pid as number;
  }

  async servicePid(): Promise<number> {
    const holder = await readLock(this.home.serveLock);
    assert.ok(holder, 'it serves');
    return holder.pid;
  }

  /** All its processes, including its private database server. */
  async processes(): Promise<number[]> {
    const server = await postmasterPid(this.home);
    return withDescendants(server ? [this.pid, server] : [this.pid]);
  }

  async imagingPid(): Promise<number | undefined> {
    for (const pid of await withDescendants([this.pid])) {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (line.includes('imaging-process')) return pid;
    }
    return undefined;
  }

  /** The administrator of `up`. */
  get world(): World {
    const { admin } = this.#first;
    assert.ok(admin, '"up" mints a token');
    return (this.#world ??= new World(this.client, admin.access_token));
  }

  /** The platform of `up`. */
  get tenant(): Tenant {
    const { platform } = this.#first;
    assert.ok(platform, '"up" creates a platform');
    return new Tenant(this.client, platform);
  }

  /** The user of `up`. */
  get user(): Member {
    const { user } = this.#first;
    assert.ok(user, '"up" creates a user');
    return new Member(this.tenant, user);
  }

  /** Runs a command of the same program on its home. */
  command(args: readonly string[]): Promise<Ran> {
    const line = [...args, '--home', this.home.dir];
    return this.program ? imgstore(line, { installed: this.program }) : hosted(line);
  }

  /** Whether the process has ended. */
  get dead(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Waits until a stopping service has ended. @returns false on timeout. */
  gone(): Promise<boolean> {
    return eventually('the service ends', async () => this.dead).then(
      () => true,
      () => false,
    );
  }

  /** How often it was dead when it was started again. */
  get deaths(): number {
    return this.#deaths;
  }

  /**
   * Sends a signal and waits for the exit. @param group to its whole process group, like Ctrl-C.
   */
  async end(signal: NodeJS.Signals = 'SIGTERM', group = false): Promise<number | null> {
    if (this.dead) return this.child.exitCode;
    const ended = once(this.child, 'exit');
    process.kill(group ? -this.pid : this.pid, signal);
    await ended;
    return this.child.exitCode;
  }

  /** Kills the service, and with `up` the process that would start it again. */
  async kill(): Promise<void> {
    const service = await this.servicePid();
    const ended = once(this.child, 'exit');
    killNow(this.pid);
    if (service !== this.pid) killNow(service);
    await ended;
  }

  /**
   * Starts `serve` on the same home, with the same settings and at another port, after ending it if it
   * still runs. @param args further settings.
   */
  async restart(args: readonly string[] = []): Promise<void> {
    assert.ok(this.again, 'it can be started again');
    if (this.dead) this.#deaths += 1;
    else await this.end();
    this.#run = await this.again(args);
    this.client.base = this.url;
  }
}

interface NewAppliance {
  /** With a private database, even if the tests have a server. */
  readonly privately?: boolean;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Path of another imgstore than the one in this clone. */
  readonly program?: string | undefined;
}

/** An appliance with a new home, a database, and a first platform and user: `imgstore up`. */
export async function appliance(
  parent: Scope,
  { privately = false, args = [], env = {}, program }: NewAppliance = {},
): Promise<Appliance> {
  const scope = lastFirst(parent);
  const shared = process.env.IMGSTORE_TEST_DATABASE_URL !== undefined && !program && !privately;
  const copied = privately && !program;
  const home = await (shared ? newHome : copied ? homeWithCluster : newPrivateHome)(scope);
  const database = shared ? ['--database-url', (await testDatabase(scope)).url] : [];
  const installed = program ? { installed: program } : {};
  return serve(scope, home, [...database, ...args], 'up', { env, ...installed });
}

/**
 * Starts `imgstore up` or `serve` on a free port and waits until it serves; stopped with its scope.
 * @throws Error with its messages if it exits instead.
 */
export async function serve(
  parent: Scope,
  home: Home,
  args: readonly string[] = [],
  command: Command = 'serve',
  options: RunOptions = {},
): Promise<Appliance> {
  const scope = lastFirst(parent); // also of what a test starts again
  // One process by default on every machine: tests inspect the processes of a service.
  const usual = ['--home', home.dir, '--port', '0', '--workers', '1', '--json'];
  const begin = (which: Command, more: readonly string[]): Promise<Run> => {
    const child = start([which, ...usual, ...args, ...more], options);
    scope.after(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      // For "up", its service as well. Only a process that ends by itself writes what it covered.
      const signal = process.env.NODE_V8_COVERAGE === undefined ? 'SIGKILL' : 'SIGTERM';
      process.kill(-(child.pid as number), signal);
      await once(child, 'exit');
    });
    return greeted(child);
  };
  const at = args.indexOf('--database-url');
  const url = at < 0 ? undefined : args[at + 1];
  const again = (more: readonly string[]): Promise<Run> => begin('serve', more);
  return new Appliance(home, await begin(command, []), url, again, options.installed);
}

/** Waits until a started service has reported its URL. @throws Error if it exits instead. */
export async function greeted(child: ChildProcessWithoutNullStreams): Promise<Run> {
  let log = '';
  let out = '';
  const listen = (chunk: string) => (log += chunk);
  child.stderr.setEncoding('utf8').on('data', listen);
  for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    out += chunk as string;
    if (!out.endsWith('\n}\n')) continue;
    const printed = JSON.parse(out) as Greeting | Failure;
    if ('error' in printed) break;
    child.stderr.off('data', listen);
    const run: Run = { child, greeting: printed, log };
    child.stderr.on('data', (chunk: string) => (run.log += chunk));
    return run;
  }
  throw new Error(`imgstore ended: ${out}${log}`);
}
