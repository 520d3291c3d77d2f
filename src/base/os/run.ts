import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { guarded } from '../guarded.js';

/**
 * A tenth of the CPU time of another busy process: with the lowest priority it would be a hundredth,
 * and the work would not end on a machine that is always busy. Linux derives the priority of disk
 * access from it, too.
 */
const nice = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Gives all other processes of the machine priority, so that a service on it stays responsive.
 * Later child processes inherit this: a database server that others may keep using must already be
 * running. Has no effect if the system does not permit it.
 */
export function lowerPriority(): void {
  setProcessPriority(Math.max(nice, getPriority()));
  // With autogroup scheduling, priorities count only within a session. The session of a terminal
  // belongs to the shell, and is not changed.
  if (isSessionLeader()) unlessRefused(() => writeFileSync('/proc/self/autogroup', String(nice)));
}

/**
 * Gives this process and all others priority over a child that has a session of its own, so that
 * answers do not wait for a core on which it computes.
 */
export function lowerPriorityOf(child: number): void {
  setProcessPriority(Math.max(nice, getPriority()), child);
  unlessRefused(() => writeFileSync(`/proc/${child}/autogroup`, String(nice)));
}

/**
 * Sets the priority of all threads, if the system permits it: on Linux each thread has its own, and
 * its child processes inherit it.
 */
export function setProcessPriority(priority: number, pid = process.pid): void {
  for (const thread of threadsOf(pid)) unlessRefused(() => setPriority(thread, priority));
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid]; // not Linux
  }
}

function isSessionLeader(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // After the name, which may contain anything: state, parent, process group, session (proc(5)).
    const session = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3];
    return Number(session) === process.pid;
  } catch {
    return false;
  }
}

/** A thread may have ended; a container may forbid it. */
function unlessRefused(work: () => void): void {
  try {
    work();
  } catch {
    // other processes then run slower, with no other effect
  }
}

/** The operating-system user that a program runs as. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** Variables of libpq that complete a URL instead of contradicting it: where passwords are kept. */
const keptOfLibpq = new Set(['PGPASSFILE']);

/**
 * Removes from this process's environment what is meant for others: libpq's variables, which pg and
 * PostgreSQL's programs would use for whatever `database.url` does not name; options of tar and gzip;
 * and a umask that lets everyone write what we create.
 */
export function dropForeignEnvironment(): void {
  for (const name of Object.keys(process.env)) {
    const isForeign = /^(?:PG[A-Z_]+|TAR_OPTIONS|GZIP)$/.test(name);
    if (isForeign && !keptOfLibpq.has(name)) delete process.env[name];
  }
  process.umask(process.umask() | 0o022);
}

export interface RunOptions {
  /** A user other than the current one; requires root. */
  readonly as?: Identity | undefined;
  /** Added to our own environment. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Text for the program's stdin; empty by default. */
  readonly input?: string;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which the program is killed; no limit by default. */
  readonly timeoutMs?: number;
}

interface RunResult {
  /** Exit code; 128 if it was ended by a signal. */
  readonly code: number;
  readonly stdout: string;
  /** Both streams interleaved, for error messages. */
  readonly output: string;
}

/** How a program is started that Ctrl-C in our terminal must not reach. */
export const apart = ({ as, env, signal }: Pick<RunOptions, 'as' | 'env' | 'signal'>) => ({
  cwd: '/', // the other user may not be able to enter our working directory
  detached: true,
  // Messages are parsed and quoted, so they must be in English regardless of the locale.
  env: { ...process.env, LC_ALL: 'C', LANGUAGE: 'C', ...env },
  ...(as && { uid: as.uid, gid: as.gid }),
  ...(signal && { signal }),
});

/**
 * Runs a program to completion, in its own session so that Ctrl-C in our terminal does not reach
 * it, and without inheriting our descriptors.
 * @throws when the program cannot be started or `signal` fires; a nonzero exit code is returned.
 */
export async function run(
  file: string,
  args: readonly string[],
  { as, env, input = '', signal, timeoutMs }: RunOptions = {},
): Promise<RunResult> {
  const child = spawn(file, args, {
    ...apart({ as, env, signal }),
    stdio: 'pipe',
    ...(timeoutMs && { timeout: timeoutMs, killSignal: 'SIGKILL' as const }),
  });
  let stdout = '';
  let output = '';
  child.stdin.on('error', () => undefined); // it ended without reading; its exit code shows why
  child.stdin.end(input);
  const code = await new Promise<number>((resolve, reject) => {
    const hear = guarded(reject, (chunk: string) => {
      stdout += chunk;
      output += chunk;
    });
    const hearError = guarded(reject, (chunk: string) => (output += chunk));
    const close = guarded(reject, (exit: number | null) => resolve(exit ?? 128));
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hearError);
    child.once('error', reject);
    child.once('close', close);
  });
  return { code, stdout, output };
}

/** Signals a child. One that could not be started has no pid: Node.js would signal our whole process group. */
export function signalChild(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) child.kill(signal);
}

/** The last lines of a program's output, for an error message. */
export function lastLines(output: string, lines = 8): string {
  return output.trim().split('\n').slice(-lines).join('\n');
}
