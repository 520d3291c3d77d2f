import type { Home } from '../base/config/home.js';
import { failure, type OperatorError } from '../base/errors/operator.js';
import { assertInitialised } from '../ops/home.js';
import { commandLine } from '../base/os/command-line.js';
import { readLock } from '../base/os/process-lock.js';
import { secondMs } from '../base/units.js';

/** The running service of a home, according to its lock file; undefined if none runs. */
export async function runningService(home: Home) {
  const holder = await readLock(home.serveLock);
  if (!holder) return undefined;
  const { address: url, version, started_at: started } = holder.info;
  if (typeof url !== 'string') return undefined;
  const since = typeof started === 'string' ? Date.parse(started) : Date.now();
  return {
    pid: holder.pid,
    url,
    version: String(version),
    uptime_seconds: Math.max(0, Math.round((Date.now() - since) / secondMs)),
  };
}

/** The error if none runs. @throws OperatorError (78) if the home is not set up. */
export async function notRunning(home: Home): Promise<OperatorError> {
  await assertInitialised(home);
  return failure(`imgstore is not running for ${home.dir}.`, {
    remedy: commandLine('serve', '--home', home.dir),
  });
}
