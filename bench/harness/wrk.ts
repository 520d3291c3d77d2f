import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureInstalled } from '../../testkit/installed.js';
import { report } from '../private-service.js';
import type { Call } from './load.js';

const run = promisify(execFile);

/** Time that wrk ran, and CPU time that it took, in milliseconds, of this process's measurements. */
const spent = { wallMs: 0, cpuMs: 0 };

/** The part of one core that the load generator took, which stands in both figures of a row. */
export const generatorShare = (): number => spent.cpuMs / spent.wallMs;

/** CPU time of all ended children of this process in milliseconds. */
async function childrenMs(): Promise<number> {
  const stat = await readFile('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** Lua that sends the calls one after the other, again and again, beginning somewhere. */
function scriptOf(calls: readonly Call[]): string {
  const paths = calls.map(({ url }) => JSON.stringify(url.slice(new URL(url).origin.length)));
  return `local paths = {${paths.join(',')}}
local at = 0
request = function()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end`;
}

/**
 * Requests a second by GET from wrk, whose own work costs little. @param calls sent in turn, all with
 * the headers of the first. @throws Error for any answer beyond 2xx and 3xx.
 */
export async function requestsPerSecond(calls: readonly Call[], load: WrkLoad): Promise<number> {
  return figureIn(await runWrk(calls, load), /^Requests\/sec:\s+([\d.]+)/m);
}

/** Milliseconds within which 99 of a hundred of the same request are answered. @throws Error as above. */
export async function slowestOfHundred(call: Call, load: WrkLoad): Promise<number> {
  const said = await runWrk([call], load);
  const unit = /^ +99%\s+[\d.]+(us|ms|s)$/m.exec(said)?.[1];
  return figureIn(said, /^ +99%\s+([\d.]+)/m) * (unit === 'us' ? 0.001 : unit === 's' ? 1000 : 1);
}

interface WrkLoad {
  readonly seconds: number;
  readonly connections: number;
}

function figureIn(said: string, pattern: RegExp): number {
  const [, figure] = pattern.exec(said) ?? [];
  if (figure === undefined || /Non-2xx|Socket errors/.test(said)) throw new Error(said);
  return Number(figure);
}

async function runWrk(calls: readonly Call[], { seconds, connections }: WrkLoad): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'imgstore-wrk-'));
  const script = join(folder, 'calls.lua');
  try {
    await writeFile(script, scriptOf(calls));
    const { url, headers = {} } = calls[0] ?? { url: '' };
    const said = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const many = calls.length > 1 ? ['-s', script] : [];
    const args = ['-t1', '--latency', `-c${connections}`, `-d${seconds}s`, ...said, ...many, url];
    const [began, before] = [performance.now(), await childrenMs()];
    const { stdout } = await run('wrk', args);
    spent.wallMs += performance.now() - began;
    spent.cpuMs += (await childrenMs()) - before;
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Installs wrk if it is missing, before anything is measured. */
export const requireWrk = (): Promise<void> =>
  ensureInstalled({ purpose: 'Figures over HTTP', programs: ['wrk'], packages: ['wrk'] }, report);
