import { readFile, readlink, rename, rm, stat, writeFile } from 'node:fs/promises';
import { failure, wrongUsage } from '../../base/errors/operator.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Argument, Option } from 'commander';
import { guarded, ignore } from '../../base/guarded.js';
import { commandLine } from '../../base/os/command-line.js';
import { readLock } from '../../base/os/process-lock.js';
import { lastLines, run, signalChild } from '../../base/os/run.js';
import { parseWhole } from '../ask.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { SilentExit } from '../ui.js';

const usualLines = '50';

/** Without a default of their own: that of the subcommand would hide what was given before it. */
const showOptions = (): Option[] => [
  new Option('--lines <n>', `How many of the latest lines (default: ${usualLines})`),
  new Option('--follow', 'Keep showing new lines, until Ctrl-C'),
];

export const command: CommandDetails = {
  options: showOptions(),
  examples: ['logs', 'logs --lines 500', 'logs --follow'],
  run: showLogs,
  commands: [
    {
      name: 'show',
      description: 'The same as "logs" alone: show it, from the journal or its file',
      options: showOptions(),
      examples: ['logs show', 'logs show --lines 500', 'logs show --follow'],
      run: showLogs,
    },
    {
      name: 'level',
      description: 'Show or change the log level of the running service, on all its processes',
      arguments: [
        new Argument('[level]', 'The new level; default returns to the configured one').choices([
          'error',
          'warn',
          'info',
          'debug',
          'default',
        ]),
      ],
      examples: ['logs level', 'logs level debug', 'logs level default'],
      run: logLevel,
    },
  ],
};

interface Options {
  readonly lines?: string;
  readonly follow?: boolean;
}

/** Shows the log of the running service, from where its stderr goes. */
async function showLogs(context: Context, options: Options): Promise<void> {
  const { home, ui, interrupted } = context;
  const lines = parseWhole('--lines', options.lines ?? usualLines, 0, 1_000_000);
  await context.checkHome('home');
  const holder = await readLock(home.serveLock);
  if (!holder) {
    throw failure(`imgstore is not running for ${home.dir}.`, {
      remedy: `With systemd, its log is still there: journalctl -u imgstore; or start it: ${commandLine('serve', '--home', home.dir)}`,
    });
  }
  const [program = '', ...args] = await reader(holder.pid);
  const words = [...args, `--lines=${lines}`];
  if (ui.json) {
    if (options.follow) {
      throw wrongUsage('--follow never ends, and --json prints one document at the end.', {
        setting: '--follow',
      });
    }
    const { code, stdout, output } = await run(program, words);
    if (code !== 0) throw failure(`${program} ended with code ${code}: ${lastLines(output)}`);
    const found = stdout.split('\n').filter((line) => line !== '');
    return ui.result({
      document: { source: [program, ...words].join(' '), lines: found },
      text: '',
    });
  }
  ui.progress(`Showing: ${[program, ...words].join(' ')}`);
  await show(program, options.follow ? [...words, '--follow'] : words, interrupted);
}

/** Runs a program that prints to our stdout, until it ends or is interrupted. */
async function show(program: string, words: string[], interrupted: AbortSignal): Promise<void> {
  const child = spawn(program, words, { stdio: ['ignore', 'inherit', 'inherit'] });
  const stop = guarded(ignore, () => signalChild(child, 'SIGTERM'));
  interrupted.addEventListener('abort', stop, { once: true });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0 && !interrupted.aborted) throw new SilentExit(); // it has said why
  } finally {
    interrupted.removeEventListener('abort', stop);
  }
}

/** The program that shows what a process writes to stderr. */
async function reader(pid: number): Promise<string[]> {
  const unit = await systemdUnit(pid);
  if (unit !== undefined) return ['journalctl', '--no-pager', `--unit=${unit}`];
  const target = await readlink(`/proc/${pid}/fd/2`).catch((cause: unknown) => {
    throw failure(`Only root and the user of process ${pid} can see where its log goes.`, {
      cause,
    });
  });
  const file = await stat(target).catch(() => undefined);
  if (file?.isFile()) return ['tail', target];
  throw failure(`The log of process ${pid} goes to ${target}, which cannot be read again.`, {
    remedy: 'Run the service under systemd, or with 2>>FILE at the end of its command.',
  });
}

/** The unit of systemd that a process belongs to, if its log goes to the journal. */
async function systemdUnit(pid: number): Promise<string | undefined> {
  const group = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '');
  const unit = /\/([\w@:.-]+\.service)(?:\/|$)/m.exec(group)?.[1];
  const target = await readlink(`/proc/${pid}/fd/2`).catch(() => '');
  return unit !== undefined && !unit.startsWith('user@') && target.startsWith('socket:')
    ? unit
    : undefined;
}

/** Shows or changes what the running service logs, until it is restarted. */
async function logLevel(context: Context, { level: wanted }: { level?: string }): Promise<void> {
  const { notWritable } = await import('../../ops/home.js');
  const { readLevel } = await import('../../base/telemetry/logger.js');
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
