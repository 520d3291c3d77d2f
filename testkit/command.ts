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
import { temporaryFolder } from './temporary.js';

export const program = fileURLToPath(new URL('../../bin/imgstore', import.meta.url));

export interface RunOptions {
  /** Variables beside the test's own, which lose everything of imgstore. */
  readonly env?: Readonly<Record<string, string>>;
  /** Another user and group than the test's own; needs root. */
  readonly as?: number;
  /** Another imgstore than that of this clone. */
  readonly installed?: string;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The one document on stdout. */
  readonly json: <T = unknown>() => T;
}

/** What `--json` answers in place of a result. */
export interface Failure {
  readonly error: {
    readonly exit_code: number;
    readonly message: string;
    readonly setting?: string;
    readonly remedy?: string;
  };
}

const cleanEnv = (extra: RunOptions['env']): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^IMGSTORE_/.test(key))),
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`, // the Node.js of the tests
  ...extra,
});

/** Starts `bin/imgstore` in a process group of its own. */
export function start(
  args: readonly string[],
  { env, as, installed = program }: RunOptions = {},
): ChildProcessWithoutNullStreams {
  const child = spawn(installed, args, {
    detached: true,
    env: cleanEnv(env),
    ...(as !== undefined && { uid: as, gid: as }),
  });
  child.stdin.end();
  return child;
}

/** Runs `bin/imgstore` to its end. */
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

/** The pid of a home's private database server, when it runs. */
export async function postmasterPid(home: Home): Promise<number | undefined> {
  const file = join(home.database, 'cluster/postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  return pid > 0 && processStart(pid) !== undefined ? pid : undefined;
}

/**
 * The place of a home that does not exist yet, reachable for a database server's own user. When
 * the scope ends, a private server that still runs there is ended and everything removed.
 */
export async function newHome(scope: Scope, name = 'home'): Promise<Home> {
  const dir = await temporaryFolder('command');
  await chmod(dir, 0o755);
  const home = new Home(join(dir, name));
  scope.after(async () => {
    const pid = await postmasterPid(home);
    if (pid) process.kill(pid, 'SIGQUIT');
    // A service may still write there, whose own hook comes after this one: it must not be kept
    // from running. What stays is swept by the next run.
    const patiently = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };
    await rm(dir, patiently).catch(() => undefined);
  });
  return home;
}

/** As `newHome`, for a private cluster: with the database programs that the test runner unpacked. */
export async function newPrivateHome(scope: Scope): Promise<Home> {
  const home = await newHome(scope);
  await lendEngine(home);
  return home;
}
