import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Bytes to send on a connection of their own. */
export interface Exchange {
  /** Written in turn. */
  readonly chunks: readonly Uint8Array[];
  /** Milliseconds between chunks. */
  readonly pauseMs?: number;
  /**
   * What comes after the last: reading to the end, the same after an end of the sending half, an
   * abrupt end, or reading until nothing more comes (and then, if nothing came at all, as `end`).
   */
  readonly then?: 'read' | 'end' | 'reset' | 'hear';
  /** Milliseconds after which the exchange is given up; default: 60,000. */
  readonly limitMs?: number;
}

export interface Exchanged {
  /** What came back, the first megabytes of it. */
  readonly bytes: Buffer;
  /** How it ended: by the service, by this side as meant, or by this side for want of an end. */
  readonly how: 'closed' | 'left' | 'late';
}

const keptBytes = 4 * 1024 * 1024;

/** Milliseconds of silence after which an answer is taken to have ended, and nothing to be coming. */
const silence = { after: 150, before: 2_000 };

/** Nobody listens: the service is dead, or about to be. */
export class NobodyListens extends Error {
  override readonly name = 'NobodyListens';
}

/**
 * Sends and collects until the connection ends. Connection errors are an end like any other.
 * @throws NobodyListens
 */
export function exchange(port: number, { chunks, ...how }: Exchange): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const received: Buffer[] = [];
    let length = 0;
    const finish = (end: Exchanged['how']): void => {
      clearTimeout(timer);
      clearTimeout(listening);
      socket.destroy();
      resolve({ bytes: Buffer.concat(received), how: end });
    };
    const timer = setTimeout(() => finish('late'), how.limitMs ?? 60_000);
    let listening: NodeJS.Timeout | undefined;
    const hear = (): void => {
      clearTimeout(listening);
      const ms = length > 0 ? silence.after : silence.before;
      listening = setTimeout(() => (length > 0 ? finish('left') : socket.end()), ms);
    };
    socket.on('data', (chunk) => {
      if (length < keptBytes) received.push(chunk);
      length += chunk.length;
      if (listening) hear();
    });
    socket.once('end', () => finish('closed'));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') reject(new NobodyListens());
      finish('closed');
    });
    socket.once('close', () => finish('closed'));
    const send = async (): Promise<void> => {
      for (const [i, chunk] of chunks.entries()) {
        if (i > 0 && how.pauseMs) await delay(how.pauseMs);
        if (socket.destroyed) return;
        socket.write(chunk);
      }
      if (how.then === 'end') socket.end();
      if (how.then === 'hear') hear();
      if (how.then === 'reset') {
        if (socket.connecting) await new Promise((ready) => socket.once('connect', ready));
        socket.resetAndDestroy();
        finish('left');
      }
    };
    send().catch(() => finish('closed'));
  });
}

/** Sends on a connection of its own, reads nothing for so long, and then breaks off. */
export function stall(port: number, bytes: Uint8Array, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const timer = setTimeout(() => socket.destroy(), ms);
    socket.pause();
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.write(bytes);
  });
}
