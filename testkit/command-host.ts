/**
 * A process that runs commands one after another, each as `bin/imgstore` runs its only command: with
 * separate arguments, environment, output and exit code. The program's files are loaded only once.
 */
import { getPriority } from 'node:os';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { setProcessPriority } from '../src/base/os/run.js';
import { bundleFile } from '../src/base/installed-files.js';

/** A command to run. */
export interface CommandRequest {
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: NodeJS.ProcessEnv;
}

/** The result of a command. */
export interface CommandAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Open resources that would have kept a separate process from exiting. */
  readonly left: readonly string[];
}

/** Enough to close files and connections, even on a machine under load. */
const closingMs = 20_000;

/** Events that commands listen to until their process ends. */
const events = [
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
  'disconnect',
  'uncaughtException',
  'unhandledRejection',
];
const own = process.env;
const main = pathToFileURL(bundleFile('imgstore')).href;
let runs = 0;

/** Resources that keep this process running, except those open before. */
function heldBeyond(before: readonly string[]): string[] {
  const held = process.getActiveResourcesInfo();
  for (const name of before) {
    if (held.includes(name)) held.splice(held.indexOf(name), 1);
  }
  return held;
}

/** Resources that a command still holds after the time that closing takes. */
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
  // With another query, Node loads and runs the file again, but not the chunks that it imports.
  await import(`${main}?run=${(runs += 1)}`);
  const code = Number(process.exitCode);
  process.exitCode = undefined;
  process.env = own;
  for (const event of events) process.removeAllListeners(event);
  process.channel?.ref(); // a command does not wait for it
  const left = await leftAfter(before);
  // A command may have lowered the priority; only root can raise it again.
  if (getPriority() !== usualPriority) setProcessPriority(usualPriority);
  for (const stream of Object.values(streams)) stream.end();
  const [stdout, stderr] = await outputs;
  return { code, stdout, stderr, left };
}

let last = Promise.resolve();
process.on('message', (request: CommandRequest) => {
  last = last.then(async () => void process.send?.(await run(request)));
});
