// Runs single test files on copies of the checkout, and finds out which code they cover.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { temporaryDirectory } from '../../testkit/temporary.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Time limit for a test file without a change. */
const measureSeconds = 900;

/** Programs that the bundle is made of, by the names of their bundles. */
const programs = { imgstore: 'cli/main', 'http-process': 'server/http-processes/http-process' };

/** What ran of a module: functions and blocks as [start, end, whether it ran, whether a function]. */
type Ranges = readonly (readonly [start: number, end: number, ran: boolean, whole: boolean])[];

/** What a test file takes without a change, and what ran, by module: once for each process. */
export interface Measured {
  readonly seconds: number;
  readonly ran: Readonly<Record<string, readonly Ranges[]>>;
}

/** How a run of a test file ended. */
export type Ending = 'passed' | 'failed' | 'too slow' | 'stopped';

/** What V8 writes of a process. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { startOffset: number; endOffset: number; count: number }[];
    }[];
  }[];
}

/** A copy of the checkout that may be changed. Symbolic links to code would lead back to this one. */
export async function makeLane(): Promise<string> {
  const lane = await temporaryDirectory('lane');
  chmodSync(lane, 0o755); // decoders run as another user
  const skipped = ['.git', '.imgstore', 'node_modules', 'release'];
  for (const name of readdirSync(root).filter((name) => !skipped.includes(name))) {
    cpSync(join(root, name), join(lane, name), { recursive: true });
  }
  for (const [name, path] of Object.entries(programs)) {
    // Commands and services run what is changed; the query makes a process run another command.
    const file = `await import('../src/${path}.js' + new URL(import.meta.url).search);\n`;
    writeFileSync(join(lane, `dist/bundle/${name}.js`), file);
  }
  symlinkSync(join(root, 'node_modules'), join(lane, 'node_modules'));
  return lane;
}

/**
 * Runs a test file in a process group of its own, which is killed at the first failure.
 * @throws if the signal aborts.
 */
export async function runTest(
  lane: string,
  file: string,
  seconds: number,
  signal: AbortSignal,
  env: Readonly<Record<string, string>> = {},
): Promise<Ending> {
  const child = spawn(process.execPath, ['--test-reporter=tap', join('dist', file)], {
    cwd: lane,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let how: Ending | undefined;
  const end = (why: Ending): void => {
    how ??= why;
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // It has just ended.
    }
  };
  const limit = setTimeout(() => end('too slow'), seconds * 1000);
  const onStop = (): void => end('stopped');
  signal.addEventListener('abort', onStop);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (/^\s*not ok (?!.*# (TODO|SKIP))/m.test(text)) end('failed');
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(limit);
  signal.removeEventListener('abort', onStop);
  signal.throwIfAborted();
  return how ?? (code === 0 ? 'passed' : 'failed');
}

function readCoverage(
  folder: string,
  lane: string,
  modules: readonly string[],
): Record<string, Ranges[]> {
  const ran: Record<string, Ranges[]> = {};
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage;
    for (const { url, functions } of result) {
      const module = modules.find((path) => url === pathToFileURL(join(lane, 'dist', path)).href);
      if (!module) continue;
      const ranges = functions.flatMap(({ ranges }) =>
        ranges.map(
          ({ startOffset, endOffset, count }, n) =>
            [startOffset, endOffset, count > 0, n === 0] as const,
        ),
      );
      (ran[module] ??= []).push(ranges);
    }
  }
  return ran;
}

/** Runs a test file unchanged. @returns its time in seconds, and what ran, by module. */
export async function measure(
  lane: string,
  file: string,
  modules: readonly string[],
  signal: AbortSignal,
): Promise<Measured> {
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const folder = await temporaryDirectory('coverage');
    chmodSync(folder, 0o1777);
    const started = Date.now();
    const how = await runTest(lane, file, measureSeconds, signal, { NODE_V8_COVERAGE: folder });
    const ran = how === 'passed' && readCoverage(folder, lane, modules);
    rmSync(folder, { recursive: true, force: true });
    if (ran) return { seconds: (Date.now() - started) / 1000, ran };
  }
  throw new Error(`${file} fails without any change: run npm test -- ${file}`);
}

/** Whether a run of a module reached a place: the innermost range around it decides. */
function reached(ranges: Ranges, { start }: { readonly start: number }): boolean {
  const around = ranges.filter(([from, to]) => from <= start && start < to);
  const [innermost] = around.sort((a, b) => a[1] - a[0] - (b[1] - b[0]));
  return innermost?.[2] ?? false;
}

/** How many functions of a module ran, besides the module itself. */
const functionsRun = (runs: readonly Ranges[]): number =>
  Math.max(
    ...runs.map(
      (ranges) => ranges.filter(([from, , ran, whole]) => from > 0 && ran && whole).length,
    ),
  );

/** The test files that cover a mutation: those that run much of its module in little time come first. */
export function covering(
  mutation: { readonly module: string; readonly start: number },
  measured: Readonly<Record<string, Measured>>,
): { file: string; seconds: number }[] {
  const files = Object.entries(measured)
    .filter(([, { ran }]) => ran[mutation.module]?.some((ranges) => reached(ranges, mutation)))
    .map(([file, { seconds, ran }]) => ({
      file,
      seconds,
      worth: functionsRun(ran[mutation.module] ?? []) / seconds,
    }));
  return files.sort((a, b) => b.worth - a.worth);
}
