/**
 * A process that runs commands one after another, each as `bin/imgstore` runs its only one: with
 * arguments, environment, output and exit code of its own. The files of the program are loaded once.
 */
import { getPriority } from 'node:os';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { setProcessPriority } from '../src/os/lower-priority.js';

/** A command to run. */
export interface CommandRequest {
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: NodeJS.ProcessEnv;
}

/** What it did. */
export interface CommandAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What a process of its own would not have ended for. */
  readonly left: readonly string[];
}

/** More than enough to close files and connections, also on a machine under load. */
const closingMs = 20_000;

/** What commands listen to until their process ends. */
const events = [
  ...['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect'],
  ...['uncaughtException', 'unhandledRejection'],
];
const own = process.env;
const main = new URL('../src/cli/main.js', import.meta.url).href;
let runs = 0;

/** What keeps this process running, beyond what did so before. */
function heldBeyond(before: readonly string[]): string[] {
  const held = process.getActiveResourcesInfo();
  for (const name of before) {
    if (held.includes(name)) held.splice(held.indexOf(name), 1);
  }
  return held;
}

/** What a command holds for longer than closing it takes. */
async function leftAfter(before: readonly string[]): Promise<string[]> {
  const end = Date.now() + closingMs;
  while (heldBeyond(before).length > 0 && Date.now() < end) await delay(10);
  return heldBeyond(before);
}

const usualPriority = getPriority();

async function run({ args, env }: CommandRequest): Promise<CommandAnswer> {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const outputs = Promise.all([text(streams.stdout), text(streams.stderr)]);
  for (const [name, value] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value, configurable: true });
  }
  process.argv.splice(2, Infinity, ...args);
  process.env = { ...env };
  const before = heldBeyond([]);
  // Another query is another module to Node, which runs it again; those that it imports stay.
  await import(`${main}?run=${(runs += 1)}`);
  const code = Number(process.exitCode);
  process.exitCode = undefined;
  process.env = own;
  for (const event of events) process.removeAllListeners(event);
  process.channel?.ref(); // a command does not wait for it
  const left = await leftAfter(before);
  // A command may have lowered it; only root can raise it again.
  if (getPriority() !== usualPriority) setProcessPriority(usualPriority);
  for (const stream of Object.values(streams)) stream.end();
  const [stdout, stderr] = await outputs;
  return { code, stdout, stderr, left };
}

let last = Promise.resolve();
process.on('message', (request: CommandRequest) => {
  last = last.then(async () => void process.send?.(await run(request)));
});
