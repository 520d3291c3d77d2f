import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Home } from '../src/config/home.js';
import { processStart } from '../src/os/process-lock.js';
import { lendEngine } from './engine.js';
import type { Scope } from './scope.js';
import { temporaryDirectory } from './temporary.js';

export const program = fileURLToPath(new URL('../../bin/imgstore', import.meta.url));

export interface RunOptions {
  /** Added to the test's own environment, from which all imgstore variables are removed. */
  readonly env?: Readonly<Record<string, string>>;
  /** A user and group other than the test's own; requires root. */
  readonly as?: number;
  /** An imgstore other than the one in this clone. */
  readonly installed?: string;
  /** What it reads from stdin; nothing by default. */
  readonly input?: string;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The single document on stdout. */
  readonly json: <T = unknown>() => T;
}

/** What `--json` prints in place of a result. */
export interface Failure {
  readonly error: {
    readonly exit_code: number;
    readonly message: string;
    readonly setting?: string;
    readonly remedy?: string;
    readonly mistakes?: readonly {
      readonly setting: string;
      readonly source: string;
      readonly message: string;
      readonly line?: number;
    }[];
  };
}

export const cleanEnv = (extra: RunOptions['env']): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^IMGSTORE_/.test(key))),
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`, // the Node.js of the tests
  ...extra,
});

/** Starts `bin/imgstore` in a process group of its own. */
export function start(
  args: readonly string[],
  { env, as, installed = program, input = '' }: RunOptions = {},
): ChildProcessWithoutNullStreams {
  const child = spawn(installed, args, {
    detached: true,
    env: cleanEnv(env),
    ...(as !== undefined && { uid: as, gid: as }),
  });
  child.stdin.on('error', () => undefined); // it may end without reading
  child.stdin.end(input);
  return child;
}

/** Runs `bin/imgstore` to completion. */
export async function imgstore(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = start(args, options);
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return {
    code: child.exitCode,
    stdout,
    stderr,
    json: <T>() => JSON.parse(stdout) as T,
  };
}

/** The pid of a home's private database server, if it is running. */
export async function postmasterPid(home: Home): Promise<number | undefined> {
  const file = join(home.database, 'cluster/postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  return pid > 0 && processStart(pid) !== undefined ? pid : undefined;
}

/**
 * Path for a new home, accessible to the database server's own user. When the scope ends, a private
 * server still running there is stopped and everything is removed.
 */
export async function newHome(scope: Scope, name = 'home'): Promise<Home> {
  const dir = await temporaryDirectory('command');
  await chmod(dir, 0o755);
  const home = new Home(join(dir, name));
  scope.after(async () => {
    const pid = await postmasterPid(home);
    if (pid) process.kill(pid, 'SIGQUIT');
    // A service whose own hook runs after this one may still write here, and must not be prevented
    // from that. The next run sweeps what remains.
    const patiently = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };
    await rm(dir, patiently).catch(() => undefined);
  });
  return home;
}

/** As `newHome`, for a private cluster: with the database programs unpacked by the test runner. */
export async function newPrivateHome(scope: Scope): Promise<Home> {
  const home = await newHome(scope);
  await lendEngine(home);
  return home;
}
