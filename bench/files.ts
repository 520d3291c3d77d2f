/**
 * Requests per second of a signed GET of 2.5 MB at concurrency 8, compared with bare node:http with
 * createReadStream on the same files in the same run. The load comes from a child process.
 *
 *   node dist/bench/files.js [seconds per turn]
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveFiles } from '../testkit/store/file-server.js';
import { putBytes } from '../testkit/store/harness.js';
import { makeLocalStore } from '../testkit/store/local-harness.js';
import { SignedUrls } from '../src/store/signed-url.js';

const objectBytes = 2_500_000;
const objects = 20;
const concurrency = 8;
const turns = 3;

interface Task {
  readonly urls: readonly string[];
  readonly seconds: number;
}

/** In the child: requests the URLs in turn for some seconds. @returns requests per second. */
async function load({ urls, seconds }: Task): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const end = performance.now() + seconds * 1000;
  let done = 0;
  const client = async (worker: number): Promise<void> => {
    for (let i = worker; performance.now() < end; i += 1) {
      const [answer] = (await once(get(urls[i % urls.length] ?? '', { agent }), 'response')) as [
        IncomingMessage,
      ];
      let received = 0;
      answer.on('data', (chunk: Buffer) => (received += chunk.length));
      await once(answer, 'end');
      if (received !== objectBytes) throw new Error(`${answer.statusCode}: ${received} bytes`);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => client(worker)));
  agent.destroy();
  return done / seconds;
}

/** The upper bound: no routing, no signature, no headers but the length. */
async function serveBare(root: string): Promise<{ base: string; close(): void }> {
  const server = createServer((req, res) => {
    const path = join(root, (req.url ?? '').slice('/files/'.length).split('?', 1)[0] ?? '');
    res.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': objectBytes });
    createReadStream(path).pipe(res);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { base, close: () => server.close() };
}

/** Requests per second, and milliseconds of the server's CPU time per request. */
interface Measurement {
  readonly rate: number;
  readonly cpu: number;
}

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function compare(seconds: number): Promise<void> {
  const harness = await makeLocalStore();
  const bare = await serveBare(harness.root);
  const child = fork(fileURLToPath(import.meta.url), ['load']);
  const measure = async (base: string): Promise<Measurement> => {
    const before = process.cpuUsage();
    child.send({ urls: paths.map((path) => base + path), seconds } satisfies Task);
    const [rate] = (await once(child, 'message')) as [number];
    const { user, system } = process.cpuUsage(before);
    return { rate, cpu: (user + system) / 1000 / (rate * seconds) };
  };
  const signer = new SignedUrls({ secret: randomBytes(32), ttlSeconds: 3600 });
  const ours = await serveFiles(harness.store, signer);
  const paths: string[] = [];
  for (let i = 0; i < objects; i += 1) {
    paths.push(signer.sign(await putBytes(harness, randomBytes(objectBytes))));
  }
  const bareTurns: Measurement[] = [];
  const ourTurns: Measurement[] = [];
  await measure(bare.base);
  for (let turn = 0; turn < turns; turn += 1) {
    bareTurns.push(await measure(bare.base));
    ourTurns.push(await measure(ours.base));
  }
  child.disconnect();
  bare.close();
  await ours.close();
  await harness.cleanup();
  const rates = [ourTurns, bareTurns].map((all) => median(all.map(({ rate }) => rate)));
  const cpu = [ourTurns, bareTurns].map((all) =>
    median(all.map((measurements) => measurements.cpu)),
  );
  console.log(`signed GET ${rates[0]?.toFixed(0)}/s, ${cpu[0]?.toFixed(2)} ms CPU time each`);
  console.log(`bare       ${rates[1]?.toFixed(0)}/s, ${cpu[1]?.toFixed(2)} ms CPU time each`);
  console.log(`ratio ${((rates[0] ?? NaN) / (rates[1] ?? NaN)).toFixed(2)} (goal 0.90)`);
}

if (process.argv[2] === 'load') {
  process.on('message', (task: Task) => void load(task).then((rate) => process.send?.(rate)));
} else {
  await compare(Number(process.argv[2] ?? 2));
}
