import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Home } from '../src/base/config/home.js';
import { readLock } from '../src/base/os/process-lock.js';
import type { CreatedPlatform, CreatedUser } from './records.js';
import { Client } from './client.js';
import { start, type Failure, type RunOptions } from './command.js';
import type { Scope } from './scope.js';

/** What `imgstore up --json` prints once it is serving. */
interface Greeting {
  readonly address: string;
  readonly admin: { readonly access_token: string };
  readonly platform: CreatedPlatform;
  readonly user: CreatedUser;
}

/** A running `imgstore serve` or `imgstore up`. */
export class Serving {
  readonly client: Client;
  #log = '';

  constructor(
    readonly child: ChildProcessWithoutNullStreams,
    readonly greeting: Greeting,
    private readonly home: Home,
    log: string,
  ) {
    this.client = new Client(this.url);
    this.#log = log;
    child.stderr.on('data', (chunk: string) => (this.#log += chunk));
  }

  /** The URL that the service listens at. */
  get url(): string {
    return this.greeting.address;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** The serving process: with `up`, a child of it. */
  async servicePid(): Promise<number> {
    const holder = await readLock(this.home.serveLock);
    assert.ok(holder, 'it serves');
    return holder.pid;
  }

  /** Everything on stderr so far. */
  get log(): string {
    return this.#log;
  }

  /**
   * Sends a signal and waits for the exit. @param group to its whole process group, like Ctrl-C.
   */
  async end(signal: NodeJS.Signals = 'SIGTERM', group = false): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const ended = once(this.child, 'exit');
    process.kill(group ? -this.pid : this.pid, signal);
    await ended;
    return this.child.exitCode;
  }
}

/**
 * Starts `imgstore up` or `serve` on a free port and waits until it serves; stopped with its scope.
 * @throws Error with its messages if it exits instead.
 */
export async function serve(
  scope: Scope,
  home: Home,
  args: readonly string[] = [],
  command: 'serve' | 'up' = 'serve',
  options: RunOptions = {},
): Promise<Serving> {
  // One process by default on every machine: tests inspect the processes of a service.
  const usual = ['--home', home.dir, '--port', '0', '--workers', '1', '--json'];
  const child = start([command, ...usual, ...args], options);
  scope.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    // For "up", its service as well. Only a process that ends by itself writes what it covered.
    const signal = process.env.NODE_V8_COVERAGE === undefined ? 'SIGKILL' : 'SIGTERM';
    process.kill(-(child.pid as number), signal);
    await once(child, 'exit');
  });
  return served(child, home);
}

/** Waits until a started service has reported its URL. @throws Error if it exits instead. */
export async function served(child: ChildProcessWithoutNullStreams, home: Home): Promise<Serving> {
  let log = '';
  let out = '';
  const listen = (chunk: string) => (log += chunk);
  child.stderr.setEncoding('utf8').on('data', listen);
  for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    out += chunk as string;
    if (!out.endsWith('\n}\n')) continue;
    child.stderr.off('data', listen);
    const printed = JSON.parse(out) as Greeting | Failure;
    if ('error' in printed) break;
    return new Serving(child, printed, home, log);
  }
  throw new Error(`imgstore ended: ${out}${log}`);
}
