import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';

/** One request of a load. */
export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>;
  /** Sent unchanged. */
  readonly body?: string;
  /** A file on disk, sent with the form as the part `image_data`. */
  readonly file?: string;
}

export interface Load {
  /** Each client sends its calls one after the other, repeatedly. */
  readonly clients: readonly (readonly Call[])[];
  /** Stop after this many seconds, or after this many calls of each client. */
  readonly until: { readonly seconds: number } | { readonly calls: number };
  /** Any other status ends the load with an error. */
  readonly status: number;
}

export interface LoadResult {
  readonly count: number;
  readonly perSecond: number;
  /** Median time of all calls in milliseconds. */
  readonly median: number;
}

/** Sends requests from a separate process, so that its own work does not block the bench. */
export class LoadGenerator {
  readonly #child: ChildProcess = fork(fileURLToPath(import.meta.url), ['load']);

  async run(load: Load): Promise<LoadResult> {
    this.#child.send(load);
    const [answer] = (await once(this.#child, 'message')) as [LoadResult | { error: string }];
    if ('error' in answer) throw new Error(answer.error);
    return answer;
  }

  close(): void {
    this.#child.disconnect();
  }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

const boundary = 'imgstore-bench';
const files = new Map<string, Promise<Buffer>>();

async function formOf({ form, file }: Call): Promise<Buffer | undefined> {
  if (!form && file === undefined) return undefined;
  const part = (disposition: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
  const fields = Object.entries(form ?? {}).map(
    ([name, value]) => `${part(`name="${name}"`)}${value}\r\n`,
  );
  const pieces: Buffer[] = [Buffer.from(fields.join(''))];
  if (file !== undefined) {
    if (!files.has(file)) files.set(file, readFile(file));
    const content = (await files.get(file)) ?? Buffer.alloc(0);
    const head = part('name="image_data"; filename="picture"');
    pieces.push(Buffer.from(head), content, Buffer.from('\r\n'));
  }
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

async function send(call: Call, agent: Agent, status: number): Promise<void> {
  const encoded = await formOf(call);
  const form = encoded && {
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
    'Content-Length': encoded.length,
  };
  const headers = { ...call.headers, ...form };
  const sent = request(call.url, { method: call.method ?? 'GET', agent, headers });
  sent.end(encoded ?? call.body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  if (answer.statusCode !== status) {
    throw new Error(`${answer.statusCode} instead of ${status} for ${call.url}`);
  }
  answer.resume();
  await once(answer, 'end');
}

/** In the child. */
async function run({ clients, until, status }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients.length });
  const times: number[] = [];
  const start = performance.now();
  const shouldContinue = (calls: number): boolean =>
    'calls' in until ? calls < until.calls : performance.now() - start < until.seconds * 1000;
  const client = async (calls: readonly Call[]): Promise<void> => {
    for (let n = 0; shouldContinue(n); n += 1) {
      const began = performance.now();
      const call = calls[n % calls.length];
      if (call) await send(call, agent, status);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(clients.map(client));
  agent.destroy();
  const seconds = (performance.now() - start) / 1000;
  return { count: times.length, perSecond: times.length / seconds, median: median(times) };
}

if (process.argv[2] === 'load') {
  process.on('message', (load: Load) => {
    run(load).then(
      (result) => process.send?.(result),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
}
