import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CommandAnswer, CommandRequest } from './command-host.js';
import { cleanEnv, type Ran, type RunOptions } from './command.js';

const hostModule = fileURLToPath(new URL('command-host.js', import.meta.url));
let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** One process for the whole test file; it ends with the file. */
function theHost(): ChildProcess {
  if (host?.connected) return host;
  host = fork(hostModule, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  return host;
}

async function ask(request: CommandRequest): Promise<CommandAnswer> {
  const child = theHost();
  child.ref();
  child.channel?.ref();
  const stop = new AbortController();
  const ended = once(child, 'exit', stop).then(([code]) => {
    throw new Error(`the process of ${request.args.join(' ')} ended with ${String(code)}`);
  });
  const answered = once(child, 'message', stop) as Promise<[CommandAnswer]>;
  try {
    child.send(request);
    const [answer] = await Promise.race([answered, ended]);
    return answer;
  } finally {
    stop.abort();
    await Promise.allSettled([answered, ended]);
    child.unref();
    child.channel?.unref();
  }
}

/**
 * Like `imgstore`, but in a process that has already loaded the program and is reused for the next
 * command, which takes a tenth of the time. Fails if the command leaves resources open that would keep
 * a separate process from exiting.
 */
export async function hosted(
  args: readonly string[],
  { env }: Pick<RunOptions, 'env'> = {},
): Promise<Ran> {
  const request = { args, env: cleanEnv(env) };
  const answered = last.then(() => ask(request));
  last = answered.catch(() => undefined);
  const { code, stdout, stderr, left } = await answered;
  assert.deepEqual(left, [], `"${args.join(' ')}" leaves these open`);
  return { code, stdout, stderr, json: <T>() => JSON.parse(stdout) as T };
}
