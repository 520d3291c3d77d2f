/**
 * Uploads per second of a photo of 12 megapixels and about 2.5 MB, eight at a time, through a complete
 * service, compared with the same work in bare worker threads, in alternating rounds of one run; also
 * the CPU time of an upload by process. The load comes from a child process.
 *
 *     node dist/bench/uploads.js [--seconds N] [PROGRAM...]
 *
 * By default, the program is bin/imgstore of this clone; several programs are compared with each other.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { processUsage } from '../src/imaging/resource-watch.js';
import { processesOf } from '../testkit/appliance.js';
import { newPrivateHome, program } from '../testkit/command.js';
import { Started } from '../testkit/scope.js';
import { serve, type Serving } from '../testkit/serving.js';
import type { Home } from '../src/base/config/home.js';
import { temporaryDirectory } from '../testkit/temporary.js';
import { makePicture } from './harness/pictures.js';
import { BareUploads, rateOf, type Rate } from './rows/bare-uploads.js';

const rounds = 5;
const concurrency = 8;

interface Task {
  readonly url: string;
  readonly token: string;
  readonly seconds: number;
}

/** In the child: uploads for some seconds. */
async function load(picture: Buffer, { url, token, seconds }: Task): Promise<Rate> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const boundary = 'uploads-of-the-bench';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="image_data"; filename="a"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), picture, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const headers = {
    authorization: `User ${token}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': body.length,
  };
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  let done = 0;
  const client = async (): Promise<void> => {
    while (performance.now() - start < seconds * 1000) {
      const sent = request(url, { method: 'POST', agent, headers }).end(body);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const text: Buffer[] = [];
      for await (const chunk of answer) text.push(chunk as Buffer);
      if (answer.statusCode !== 200) throw new Error(Buffer.concat(text).toString());
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  agent.destroy();
  return rateOf(done, start, cpu);
}

const kinds = ['service', 'imaging', 'PostgreSQL', 'client'] as const;
type Kind = (typeof kinds)[number];

async function kindOf(pid: number): Promise<Kind> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
  if (command.startsWith('postgres') || command.includes('/bin/postgres')) return 'PostgreSQL';
  return command.includes('imaging-process') ? 'imaging' : 'service';
}

/** A service under load. */
class Candidate {
  rates: number[] = [];
  readonly #cpu = new Map<Kind, number>();
  #uploads = 0;

  private constructor(
    readonly name: string,
    readonly home: Home,
    readonly serving: Serving,
  ) {}

  static async start(scope: Started, installed: string): Promise<Candidate> {
    const home = await newPrivateHome(scope);
    return new Candidate(installed, home, await serve(scope, home, [], 'up', { installed }));
  }

  async measure(child: ChildProcess, seconds: number): Promise<void> {
    const before = await this.#usage();
    const { address: url, user } = this.serving.greeting;
    const path = `/api/v1/users/${user.user_id}/images`;
    const task: Task = { url: `${url}${path}`, token: user.access_token, seconds };
    child.send(task);
    const [{ perSecond, count, cpuMs }] = (await once(child, 'message')) as [Rate];
    this.rates.push(perSecond);
    this.#uploads += count;
    this.#cpu.set('client', (this.#cpu.get('client') ?? 0) + cpuMs / 1000);
    for (const [pid, { kind, cpuSeconds }] of await this.#usage()) {
      const spent = cpuSeconds - (before.get(pid)?.cpuSeconds ?? 0);
      this.#cpu.set(kind, (this.#cpu.get(kind) ?? 0) + spent);
    }
  }

  /** Discards the measurements of the warm-up. */
  reset(): void {
    this.rates = [];
    this.#cpu.clear();
    this.#uploads = 0;
  }

  /** CPU time per upload in milliseconds. */
  cpuMs(kind: Kind): number {
    return ((this.#cpu.get(kind) ?? 0) * 1000) / this.#uploads;
  }

  async #usage(): Promise<Map<number, { kind: Kind; cpuSeconds: number }>> {
    const pids = await processesOf(this);
    const found = pids.map(async (pid) => {
      const cpuSeconds = processUsage(pid)?.cpuSeconds ?? 0;
      return [pid, { kind: await kindOf(pid), cpuSeconds }] as const;
    });
    return new Map(await Promise.all(found));
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Prints ratios of rates and of CPU time: on a busy machine, the latter are more meaningful. */
function print(candidates: readonly Candidate[], bare: readonly Rate[]): void {
  const limits = bare.map(({ perSecond }) => perSecond);
  const least = median(bare.map(({ cpuMs, count }) => cpuMs / count));
  console.log(
    `${median(limits).toFixed(1)}/s   bare worker threads: ${least.toFixed(1)} ms of CPU time`,
  );
  for (const candidate of candidates) {
    const ratio = median(candidate.rates.map((rate, i) => rate / (limits[i] ?? NaN)));
    const cpu = kinds.map((kind) => `${kind} ${candidate.cpuMs(kind).toFixed(1)}`).join(', ');
    console.log(`${median(candidate.rates).toFixed(1)}/s   ratio ${ratio.toFixed(3)}   ${candidate.name}`); // prettier-ignore
    const all = kinds.reduce((sum, kind) => sum + candidate.cpuMs(kind), 0);
    const share = (least / all).toFixed(3);
    console.log(`  ${all.toFixed(1)} ms of CPU time per upload, ratio ${share}: ${cpu}`);
  }
}

async function main(picture: string, seconds: number, programs: readonly string[]): Promise<void> {
  const scope = new Started();
  try {
    const folder = dirname(picture);
    const bytes = await readFile(picture);
    const bare = new BareUploads(folder, bytes, availableParallelism());
    scope.after(() => bare.close());
    const child = fork(fileURLToPath(import.meta.url), ['load', picture]);
    scope.after(async () => void child.disconnect());
    const candidates: Candidate[] = [];
    for (const installed of programs) candidates.push(await Candidate.start(scope, installed));
    const { width, height } = await sharp(bytes).metadata();
    console.log(`${width} x ${height}, ${bytes.length} bytes, concurrency ${concurrency}`);
    for (const candidate of candidates) await candidate.measure(child, 1);
    for (const candidate of candidates) candidate.reset();
    await bare.rate(1);
    const limits: Rate[] = [];
    for (let round = 0; round < rounds; round += 1) {
      limits.push(await bare.rate(seconds));
      // Alternates the direction, so that no candidate always runs right after the limit.
      const turn = round % 2 ? candidates.toReversed() : candidates;
      for (const candidate of turn) await candidate.measure(child, seconds);
    }
    print(candidates, limits);
  } finally {
    await scope.end();
  }
}

if (process.argv[2] === 'load') {
  const picture = await readFile(process.argv[3] ?? '');
  process.on('message', (task: Task) => {
    void load(picture, task).then((rate) => process.send?.(rate));
  });
} else {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: 'string', default: '6' } },
  });
  const dir = await temporaryDirectory('uploads-bench');
  try {
    const picture = join(dir, 'photo.jpg');
    await makePicture(picture);
    const programs = positionals.length > 0 ? positionals : [program];
    await main(picture, Number(values.seconds), programs);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
