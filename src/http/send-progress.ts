import type { Socket } from 'node:net';

/** Tracks whether a client is reading what is sent to it, even if only a few bytes at a time. */
export class SendProgress {
  #untaken = 0;
  #written = 0;
  #since = 0;

  constructor(private readonly socket: Socket) {}

  /**
   * How long none of the pending data has been read, in milliseconds. Must be called periodically;
   * the interval between calls is the precision of the answer.
   */
  stalledMs(): number {
    const { bytesWritten, writableLength } = this.socket;
    const now = performance.now();
    const untaken = writableLength > 0 ? untakenBytes(this.socket) : 0;
    if (untaken === 0 || untaken !== this.#untaken || bytesWritten !== this.#written) {
      this.#untaken = untaken;
      this.#written = bytesWritten;
      this.#since = now;
    }
    return now - this.#since;
  }
}

/**
 * Bytes that the kernel has not accepted yet. In `writableLength`, a write counts in full until its
 * last byte is gone, which may take minutes with a slow reader; the socket handle counts every
 * byte.
 */
function untakenBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? socket.writableLength;
}
