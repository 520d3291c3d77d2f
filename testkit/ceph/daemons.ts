import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { run, lastLines } from '../../src/base/os/run.js';

/** Runs one of Ceph's tools to completion. @returns its output. @throws if it fails. */
export async function ceph(dir: string, file: string, ...args: string[]): Promise<string> {
  const env = { CEPH_CONF: join(dir, 'ceph.conf') };
  const { code, stdout, output } = await run(file, args, { env, timeoutMs: 180_000 });
  if (code !== 0) throw new Error(`${file} ${args[0]} failed:\n${lastLines(output)}`);
  return stdout;
}

/** Daemons of one stack, by name (`mon.m0`, `osd.3`, `client.rgw1`); they end with this process. */
export class Daemons {
  readonly #running = new Map<string, ChildProcess>();

  constructor(private readonly dir: string) {}

  start(name: string, file: string, args: readonly string[]): void {
    const log = openSync(join(this.dir, 'log', `${name}.out`), 'a');
    // Kill the daemon with this process, which may not get to stop it.
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', file, '-f', ...args], {
      cwd: '/',
      env: { ...process.env, CEPH_CONF: join(this.dir, 'ceph.conf') },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    child.once('exit', () => this.#running.delete(name));
    this.#running.set(name, child);
  }

  /** Kills a daemon abruptly, like a power cut. */
  async kill(name: string): Promise<void> {
    const child = this.#running.get(name);
    if (!child) throw new Error(`${name} is not running`);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async killAll(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((name) => this.kill(name)));
  }
}
