/** A program for tests that is started like imaging processes and tries what one that is taken over would. */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type NetConnectOpts } from 'node:net';

/** What to try to reach. */
export interface Doors {
  /** A file of the home that no decoder needs, and another upload. */
  readonly key: string;
  readonly upload: string;
  /** Its own picture. */
  readonly picture: string;
  /** Processes: the service, and another decoder, as seen from outside. */
  readonly others: readonly number[];
  readonly port: number;
  readonly socket: string;
  readonly abstract: string;
  readonly writable: string;
}

export interface Reach {
  /** The error code or `done` for each attempt. */
  readonly tried: Record<string, string>;
  readonly user: number | undefined;
  readonly environment: string[];
  /** Processes that can be started at once. */
  readonly forks: number;
  /** Ids of all processes that it sees. */
  readonly seen: string[];
}

function attempt(action: () => unknown): string {
  try {
    action();
    return 'done';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

const attemptConnection = (to: NetConnectOpts): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(to);
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    socket.once('connect', () => {
      socket.destroy();
      resolve('done');
    });
  });

/** Starts processes that wait, until one fails. */
async function countForks(): Promise<number> {
  const waiting = [];
  for (let i = 0; i < 150; i++) {
    const child = spawn('/bin/sh', ['-c', 'read line'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const started = await new Promise((resolve) => {
      child.once('spawn', () => resolve(true)).once('error', () => resolve(false));
    });
    if (!started) break;
    waiting.push(child);
  }
  for (const child of waiting) child.kill('SIGKILL');
  return waiting.length;
}

const pids = (): string[] => {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
};

process.on('message', (doors: Doors) => {
  const { key, upload, picture, others, port, socket, abstract, writable } = doors;
  const onOthers = (name: string, action: (pid: number) => unknown) =>
    others.map((pid, i) => [`${name} ${i}`, attempt(() => action(pid))] as const);
  void (async () => {
    const tried = {
      picture: attempt(() => readFileSync(picture)),
      'change of the picture': attempt(() => writeFileSync(picture, '')),
      'file beside it': attempt(() => writeFileSync(`${picture}.new`, 'state')),
      'file elsewhere': attempt(() => writeFileSync(writable, 'state')),
      key: attempt(() => readFileSync(key)),
      'key from here': attempt(() => readFileSync('../../../secrets/master.key')),
      upload: attempt(() => readFileSync(upload)),
      'folders of others': attempt(() => readdirSync('..').length === 0 || readFileSync('../..')),
      ...Object.fromEntries([
        ...onOthers('memory', (pid) => readFileSync(`/proc/${pid}/mem`)),
        ...onOthers('environment', (pid) => readFileSync(`/proc/${pid}/environ`)),
        ...onOthers('signal', (pid) => process.kill(pid, 0)),
      ]),
      tcp: await attemptConnection({ port, host: '127.0.0.1' }),
      socket: await attemptConnection({ path: socket }),
      abstract: await attemptConnection({ path: abstract }),
      program: attempt(() => {
        const { error, status } = spawnSync('/usr/bin/id');
        if (error ?? status !== 0) throw error ?? new Error(String(status));
      }),
    };
    const reach: Reach = {
      tried,
      user: process.getuid?.(),
      environment: Object.keys(process.env),
      forks: await countForks(),
      seen: pids(),
    };
    process.send?.(reach);
  })();
});
