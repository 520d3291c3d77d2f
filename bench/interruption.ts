import { readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Home } from '../src/base/config/home.js';
import { clusterFiles } from '../src/database/postgres/cluster-files.js';
import { processStart } from '../testkit/processes.js';
import { secondMs } from '../src/base/units.js';

const homes: Home[] = [];
const directories: string[] = [];

/** Time limit for a server to stop, and the interval between checks, in milliseconds. */
const stopTimeoutMs = 30 * secondMs;
const pollMs = 50;

/** The pid in a file; undefined without the file. */
function pidIn(file: string, pattern: RegExp): number | undefined {
  try {
    const found = pattern.exec(readFileSync(file, 'utf8'))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}

function stop(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined || processStart(pid) === undefined) return;
  process.kill(pid, signal);
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (
    let waited = 0;
    waited < stopTimeoutMs && processStart(pid) !== undefined;
    waited += pollMs
  ) {
    Atomics.wait(clock, 0, 0, pollMs);
  }
}

/** Synchronous: otherwise, work in progress would fail and end the process before the cleanup is done. */
function sweep(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): never {
  for (const home of homes) {
    stop(pidIn(home.serveLock, /"pid":(\d+)/), 'SIGTERM');
    stop(pidIn(join(clusterFiles(home).data, 'postmaster.pid'), /^(\d+)/), 'SIGINT');
  }
  for (const directory of directories) {
    rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  process.exit(128 + constants.signals[signal]);
}

const listen = (): void => {
  if (homes.length + directories.length > 0) return;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => sweep(signal));
  }
};

/** From now on, Ctrl-C removes this directory. */
export function removeWhenInterrupted(directory: string): void {
  listen();
  directories.push(directory);
}

/** From now on, Ctrl-C stops the service and the private database server of this home. */
export function stopWhenInterrupted(home: Home): void {
  listen();
  homes.push(home);
}
