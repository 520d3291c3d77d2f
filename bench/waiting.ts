/**
 * The cost of readers that wait for changes: memory and database connections of a node, and the delay
 * from the response to a change to the response to its reader. Readers run in a child process.
 *
 *     node dist/bench/waiting.js [READERS]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startService } from '../src/server/service.js';
import { openDirectory, provision, report } from './private-service.js';

interface Reader {
  readonly url: string;
  readonly token: string;
}

const rounds = 20;

/** Delay before a rejected reader retries, while all connect at once. */
const retryMs = 1_000;

/** In the child: one request per reader, which reports when it gets a response. */
async function wait(readers: readonly Reader[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  for (const [n, { url, token }] of readers.entries()) {
    if (n % 20 === 19) await delay(50); // readers do not all connect at once
    const ask = (after: number): void => {
      const asked = request(`${url}/changes?after=${after}&wait=30`, {
        agent,
        headers: { Authorization: `User ${token}` },
      });
      asked.on('response', (answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
        answer.on('end', () => {
          if (answer.statusCode !== 200) return again(after);
          const { last } = (JSON.parse(text) as { result: { last: number } }).result;
          if (last > after) process.send?.({ n, at: Date.now() });
          ask(last);
        });
      });
      asked.on('error', () => again(after));
      asked.end();
    };
    const again = (after: number): void => void setTimeout(() => ask(after), retryMs);
    ask(1);
  }
}

const memory = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1_048_576;
};

async function main(count: number): Promise<void> {
  const dir = await openDirectory('imgstore-waiting-');
  const { home, config } = await provision(dir);
  const most = { 'limits.max_connections': count + 1_000 };
  const service = await startService(home, { ...config, ...most }, report);
  const child = fork(fileURLToPath(import.meta.url), ['readers']);
  try {
    const { platforms, users } = service.tenants;
    const platform = await platforms.create();
    const readers: Reader[] = [];
    for (let n = 0; n < count; n += 1) {
      const user = await users.create(platform.id, `user ${n}`);
      const url = `${service.url}/api/v1/users/${user.user_id}`;
      readers.push({ url, token: user.access_token });
    }
    const before = memory();
    child.send(readers);
    await delay(5_000 + 4 * count);
    console.log(`${count} readers: ${(memory() - before).toFixed(0)} MB more`);
    const taken: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const n = Math.floor(Math.random() * count);
      const { url, token } = readers[n] as Reader;
      const woken = once(child, 'message') as Promise<[{ n: number; at: number }]>;
      const answer = await fetch(`${url}/folders`, {
        method: 'POST',
        headers: { authorization: `User ${token}` },
        body: new URLSearchParams({ title: `${round}` }),
      });
      const done = Date.now();
      if (!answer.ok) throw new Error(`${answer.status}`);
      taken.push((await woken)[0].at - done);
    }
    taken.sort((a, b) => a - b);
    console.log(`woken after ${taken[rounds / 2]} ms at the median, ${taken.at(-1)} ms at most`);
  } finally {
    child.kill();
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

if (process.argv[2] === 'readers') {
  process.once('message', (readers: Reader[]) => void wait(readers));
} else {
  await main(Number(process.argv[2] ?? 5_000));
}
