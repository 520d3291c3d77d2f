import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Bytes to send on a new connection. */
export interface Exchange {
  /** Written in turn. */
  readonly chunks: readonly Uint8Array[];
  /** Milliseconds between chunks. */
  readonly pauseMs?: number;
  /**
   * What happens after the last chunk: read to the end; half-close, then read to the end; reset the
   * connection; or read until the other side falls silent (if nothing came at all, then as `end`).
   */
  readonly then?: 'read' | 'end' | 'reset' | 'until-silent';
  /** Timeout of the exchange in milliseconds; default: 60,000. */
  readonly limitMs?: number;
}

export interface Exchanged {
  /** The first megabytes that were received. */
  readonly bytes: Buffer;
  /** How it ended: closed by the service, closed by this side as requested, or timed out. */
  readonly how: 'closed' | 'left' | 'late';
}

const keptBytes = 4 * 1024 * 1024;

/** Milliseconds of silence after which an answer counts as complete, or as not coming at all. */
const silence = { after: 150, before: 2_000 };

/** The connection was refused: the service has ended or is about to. */
export class ConnectionRefused extends Error {
  override readonly name = 'ConnectionRefused';
}

/**
 * Sends, and collects what is received until the connection ends. A connection error counts as an end.
 * @throws ConnectionRefused
 */
export function exchange(port: number, { chunks, ...how }: Exchange): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const received: Buffer[] = [];
    let length = 0;
    const finish = (end: Exchanged['how']): void => {
      clearTimeout(timer);
      clearTimeout(silenceTimer);
      socket.destroy();
      resolve({ bytes: Buffer.concat(received), how: end });
    };
    const timer = setTimeout(() => finish('late'), how.limitMs ?? 60_000);
    let silenceTimer: NodeJS.Timeout | undefined;
    const restartSilenceTimer = (): void => {
      clearTimeout(silenceTimer);
      const ms = length > 0 ? silence.after : silence.before;
      silenceTimer = setTimeout(() => (length > 0 ? finish('left') : socket.end()), ms);
    };
    socket.on('data', (chunk) => {
      if (length < keptBytes) received.push(chunk);
      length += chunk.length;
      if (silenceTimer) restartSilenceTimer();
    });
    socket.once('end', () => finish('closed'));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') reject(new ConnectionRefused());
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
      if (how.then === 'until-silent') restartSilenceTimer();
      if (how.then === 'reset') {
        if (socket.connecting) await new Promise((ready) => socket.once('connect', ready));
        socket.resetAndDestroy();
        finish('left');
      }
    };
    send().catch(() => finish('closed'));
  });
}

/** Sends on a new connection, reads nothing for `ms` milliseconds, and then disconnects. */
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
