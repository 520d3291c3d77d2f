import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Environment of a process: apart from PATH and HOME, nothing is inherited. */
type Env = Readonly<Record<string, string>>;

/** Runs a program to its end, with its output in `peer.log` of the directory. */
export async function run(
  dir: string,
  env: Env,
  command: string,
  ...args: string[]
): Promise<void> {
  const child = begin(dir, env, command, args);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed; see ${dir}/peer.log`);
}

/** How long a peer may take to start. */
const startMs = 10 * 60_000;

/** Starts a server and waits until the health URL responds. @returns a function that stops it. */
export async function serve(
  dir: string,
  env: Env,
  health: string,
  ...[command, ...args]: [string, ...string[]]
): Promise<() => Promise<void>> {
  const child = begin(dir, env, command, args);
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(killer);
  };
  const deadline = Date.now() + startMs;
  while (!(await answers(health))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`${command} ${args.join(' ')} does not serve; see ${dir}/peer.log`);
    }
    await delay(500);
  }
  return stop;
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ status }) => status < 500,
    () => false,
  );

function begin(dir: string, env: Env, command: string, args: readonly string[]) {
  const log = openSync(join(dir, 'peer.log'), 'a');
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, {
    cwd: dir,
    env: { PATH, HOME, NODE_ENV: 'production', ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  return child;
}

/** Installs the packages into the directory if they are missing. */
export async function install(dir: string, packages: readonly string[]): Promise<void> {
  const done = join(dir, 'node_modules/.package-lock.json');
  if (
    await access(done).then(
      () => true,
      () => false,
    )
  )
    return;
  // Their build steps need a development environment; their output goes to the log.
  const flags = ['--no-fund', '--no-audit', '--save-exact', '--loglevel=error'];
  await run(dir, { NODE_ENV: 'development' }, 'npm', 'install', ...flags, ...packages);
}

/** @throws Error with the status of an unsuccessful response. */
export async function requestJson<Answer>(url: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(url, init);
  if (!answer.ok) throw new Error(`${answer.status} for ${url}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

export const asJson = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
