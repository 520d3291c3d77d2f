import type { Readable } from 'node:stream';
import type { Socket } from 'node:net';
import { guarded } from '../base/guarded.js';
import { bytesPerMegabyte, minuteMs, secondMs } from '../base/units.js';

/** What an answered client may still send, all of which is discarded. */
export interface LingerLimits {
  readonly bytes: number;
  /** Longest wait, extended while bytes arrive at {@link paceBytesPerMs}, up to {@link maxMs}. */
  readonly ms: number;
}

/** For the rest of a body: slow uploads are the ones that most often outlast their answer. */
export const bodyLimits: LingerLimits = { ms: 30 * secondMs, bytes: 256 * bytesPerMegabyte };

/** For a client that has nothing left to send, until it closes the connection as well. */
export const closingLimits: LingerLimits = { ...bodyLimits, ms: 2 * secondMs };

/** 64 KB/s. */
const paceBytesPerMs = (64 * 1024) / secondMs;

const maxMs = 15 * minuteMs;

const pollMs = 100;

/**
 * Reads and discards what a client sends after it was answered, until `stream`, its request or the
 * whole connection, closes. Most clients read the answer only after sending everything, and TCP
 * discards it if the connection closes with bytes unread (RFC 9112, section 9.6).
 */
export function linger(socket: Socket, stream: Readable, { bytes, ms }: LingerLimits): void {
  if (stream.destroyed) return;
  const bytesBefore = socket.bytesRead;
  const began = performance.now();
  const cut = (): void => void socket.destroy();
  // If nobody has read the request, Node discards its bytes before any event could fire.
  const check = guarded(cut, (): void => {
    // A request that was answered is not told that its socket has closed.
    if (stream.destroyed || socket.destroyed) {
      clearInterval(timer);
      return;
    }
    const received = socket.bytesRead - bytesBefore;
    const allowedMs = Math.min(ms + received / paceBytesPerMs, maxMs);
    if (received > bytes || performance.now() - began > allowedMs) cut();
  });
  const timer: NodeJS.Timeout = setInterval(check, pollMs);
  stream.resume();
}
