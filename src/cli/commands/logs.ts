import { rename, rm, writeFile } from 'node:fs/promises';
import { readLevel } from '../../base/telemetry/logger.js';
import { failure } from '../../base/errors/operator.js';
import { notWritable } from '../../ops/home.js';
import { commandLine } from '../../base/os/command-line.js';
import { readLock } from '../../base/os/process-lock.js';
import type { Context } from '../context.js';

/** Shows or changes what the running service logs, until it is restarted. */
export async function logLevel(
  context: Context,
  _options: object,
  [wanted]: (string | undefined)[],
): Promise<void> {
  const { home, ui } = context;
  const { values } = await context.settings();
  if (!(await readLock(home.serveLock))) {
    throw failure(`imgstore is not running for ${home.dir}.`, {
      remedy: `For its next start: ${commandLine('config', 'set', 'log.level', wanted ?? 'debug', '--home', home.dir)}`,
    });
  }
  if (wanted !== undefined) {
    await write(home.logLevel, wanted === 'default' ? undefined : wanted).catch(
      (error: unknown) => {
        throw notWritable(home.run, error);
      },
    );
  }
  const configured = values['log.level'];
  const now = readLevel(home.logLevel);
  const text = now
    ? `${now}, until the service is restarted or: ${commandLine('logs', 'level', 'default')}`
    : `unchanged since the start of the service; the configuration says ${configured}`;
  ui.result({ document: { level: now ?? configured, configured }, text });
}

/** Atomically, since the service may read the file at any time. */
async function write(file: string, level: string | undefined): Promise<void> {
  if (level === undefined) return rm(file, { force: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${level}\n`, { mode: 0o644 });
  await rename(draft, file);
}
