/**
 * In a process of its own: keeps some connections busy, one request after another on each, with as
 * little work per request as possible, so that the server is what is measured.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { secondMs } from '../../src/units.js';

export interface Load {
  readonly base: string;
  /** Complete requests, requested in turn. */
  readonly requests: readonly string[];
  /** Status of every response, and bytes of its body. */
  readonly status: number;
  readonly bytes: number;
  readonly concurrency: number;
  readonly seconds: number;
}

/** @returns requests per second. */
async function run(load: Load): Promise<number> {
  const end = performance.now() + load.seconds * secondMs;
  const counts = await Promise.all(
    Array.from({ length: load.concurrency }, (_, worker) => converse(load, worker, end)),
  );
  return counts.reduce((sum, count) => sum + count, 0) / load.seconds;
}

async function converse(load: Load, worker: number, end: number): Promise<number> {
  const { hostname, port } = new URL(load.base);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let [done, turn, missing] = [0, worker, NaN];
  const ask = (): void => {
    missing = NaN;
    socket.write(load.requests[turn++ % load.requests.length] ?? '');
  };
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      const head = Number.isNaN(missing) ? headOf(chunk) : 0;
      if (head > 0) {
        const status = Number(chunk.toString('latin1', 9, 12));
        if (status !== load.status) reject(new Error(chunk.toString('latin1')));
        missing = load.bytes;
      }
      missing -= chunk.length - head;
      if (missing > 0) return;
      if (missing < 0) reject(new Error(`${-missing} bytes too many`));
      done += 1;
      if (performance.now() < end) ask();
      else {
        socket.destroy();
        resolve(done);
      }
    });
    ask();
  });
}

/** Length of the head that the first piece of a response starts with. */
const headOf = (chunk: Buffer): number => chunk.indexOf('\r\n\r\n') + 4;

process.on('message', (load: Load) => void run(load).then((rate) => process.send?.(rate)));
