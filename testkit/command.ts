import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Home } from '../src/base/config/home.js';
import { processStart } from './processes.js';
import { linkEngine } from './engine.js';
import type { Scope } from './scope.js';
import { temporaryDirectory } from './temporary.js';

export const program = fileURLToPath(new URL('../../bin/imgstore', import.meta.url));

export interface RunOptions {
  /** Added to the test's environment, from which all imgstore variables are removed. */
  readonly env?: Readonly<Record<string, string>>;
  /** The uid and gid to run as, instead of those of the test; requires root. */
  readonly as?: number;
  /** Path of another imgstore than the one in this clone. */
  readonly installed?: string;
  /** Content of stdin; empty by default. */
  readonly input?: string;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The single document on stdout. */
  readonly json: <T = unknown>() => T;
}

/** What `--json` prints if the command fails. */
export interface Failure {
  readonly error: {
    readonly exit_code: number;
    readonly code?: string;
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

/** What a failed command must say; what is left out is not compared. */
interface ExpectedFailure {
  readonly code?: string;
  readonly setting?: string;
  /** What the message names, such as a file or a value. */
  readonly about?: string;
  /** The command, the flag, or the setting that the remedy names. */
  readonly remedy?: string;
}

/** Asserts how a command with --json fails. @returns its error. */
export async function fails(
  running: Ran | Promise<Ran>,
  exitCode: number,
  { about = '', remedy = '', ...exact }: ExpectedFailure = {},
): Promise<Failure['error']> {
  const ran = await running;
  const { error } = ran.json<Failure>();
  assert.deepEqual([ran.code, error.exit_code], [exitCode, exitCode], ran.stdout);
  assert.deepEqual({ ...error, ...exact }, error, ran.stdout);
  assert.ok(error.message.includes(about), ran.stdout);
  assert.ok((error.remedy ?? '').includes(remedy), ran.stdout);
  return error;
}

export const cleanEnv = (extra: RunOptions['env']): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^IMGSTORE_/.test(key))),
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`, // the same Node.js as the tests
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
  child.stdin.on('error', () => undefined); // it may exit without reading stdin
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
export async function postmasterPid(home: Pick<Home, 'database'>): Promise<number | undefined> {
  const file = join(home.database, 'cluster/postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  return pid > 0 && processStart(pid) !== undefined ? pid : undefined;
}

/**
 * Path for a new home that the database server's user can access. When the scope ends, a private
 * server that still runs there is stopped and everything is removed.
 */
export async function newHome(scope: Scope, name = 'home'): Promise<Home> {
  const dir = await temporaryDirectory('command');
  await chmod(dir, 0o755);
  const home = new Home(join(dir, name));
  scope.after(async () => {
    const pid = await postmasterPid(home);
    if (pid) process.kill(pid, 'SIGQUIT');
    // A service whose hook runs after this one may still write here and must not fail. The next run
    // removes the rest.
    const options = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };
    await rm(dir, options).catch(() => undefined);
  });
  return home;
}

/** Like `newHome`, for a private cluster: with the database programs that the test runner unpacked. */
export async function newPrivateHome(scope: Scope): Promise<Home> {
  const home = await newHome(scope);
  await linkEngine(home);
  return home;
}
