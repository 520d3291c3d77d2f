import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { program } from './command.js';

/** Options for tests that need a terminal, which script(1) of util-linux creates. */
export const needsTerminal = {
  skip: spawnSync('script', ['--version']).status === 0 ? false : 'util-linux script(1) is missing',
};

/** The characters that a key sends. */
export const key = { enter: '\r', down: '\x1b[B', escape: '\x1b', ctrlC: '\x03' } as const;

/** Input to type when new output matches; a function may derive it from the screen. */
export type Answer = readonly [
  shown: RegExp,
  typed: string | ((screen: string) => Promise<string>),
];

export interface OnTerminal {
  /** The file that stdout is redirected to, instead of the terminal. */
  readonly stdout?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The uid and gid to run as, instead of those of the test; requires root. */
  readonly as?: number;
}

/**
 * Runs a command on a terminal of 80 columns. Each of the `answers` waits until its question appears
 * in the output since the previous answer was typed.
 */
export async function onTerminal(
  args: readonly string[],
  answers: readonly Answer[],
  { stdout, env = {}, as }: OnTerminal = {},
): Promise<{ code: number | null; shown: string }> {
  const words = [process.execPath, program, ...args].map((word) => `'${word}'`);
  const line = [...words, ...(stdout ? [`> '${stdout}'`] : [])].join(' ');
  const sized = `stty cols 80 rows 40; ${line}`;
  const child = spawn('script', ['--quiet', '--return', '--command', sized, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', ...env },
    ...(as !== undefined && { uid: as, gid: as }),
  });
  let shown = '';
  let read = 0;
  const open = [...answers];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    const [next] = open;
    if (!next?.[0].test(shown.slice(read))) return;
    open.shift();
    read = shown.length;
    const type = async (): Promise<void> => {
      const [, typed] = next;
      child.stdin.write(typeof typed === 'string' ? typed : await typed(shown));
    };
    type().catch(() => child.kill());
  });
  const tooLong = setTimeout(() => child.kill(), 180_000);
  await once(child, 'close');
  clearTimeout(tooLong);
  assert.deepEqual(open, [], `every question was asked: ${shown}`);
  return { code: child.exitCode, shown };
}
