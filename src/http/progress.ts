import type { Socket } from 'node:net';

/** Watches whether a client takes what is being sent to it, be it a few bytes at a time. */
export class Progress {
  #untaken = 0;
  #written = 0;
  #since = 0;

  constructor(private readonly socket: Socket) {}

  /**
   * For how long nothing of what waits has been taken, in milliseconds; to be asked again and again.
   * The time between two questions is how exact the answer is.
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
 * Bytes that the kernel has not taken over yet. A write counts as a whole in `writableLength` until
 * its last byte has gone, which for a slow reader may take minutes; the handle knows of each byte.
 */
function untakenBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? socket.writableLength;
}
