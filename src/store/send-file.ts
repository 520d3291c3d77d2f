import type { FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { guarded } from '../guard.js';
import type { ByteRange } from './port.js';

/** Bytes per read and write. */
const bufferSize = 256 * 1024;

/** Buffers kept for the next download; 8 MB. */
const maxIdle = 32;

const idle: Buffer[] = [];

/**
 * Writes a range of a file to `destination` and ends it; on a failure destroys it.
 *
 * Piping a stream allocates all the bytes anew, and half of a download's processor time goes into
 * collecting them. Here two buffers alternate, one being read while the other is being written, and
 * serve the next download after. A buffer is reused only when its write was reported done.
 *
 * @param signal aborted when nobody waits for the bytes any more.
 */
export async function sendFile(
  file: FileHandle,
  { start, end }: ByteRange,
  destination: Writable,
  signal: AbortSignal,
): Promise<void> {
  const buffers: [Buffer, Buffer] = [takeBuffer(), takeBuffer()];
  let written = Promise.resolve();
  try {
    for (let position = start; position <= end; buffers.reverse()) {
      const [buffer] = buffers;
      const length = Math.min(bufferSize, end + 1 - position);
      const { bytesRead } = await file.read(buffer, 0, length, position);
      if (bytesRead === 0) throw new Error('the object ended before its end');
      await written;
      written = write(destination, buffer.subarray(0, bytesRead), signal);
      // Awaited after the next read; a failure until then must not count as unhandled.
      written.catch(() => undefined);
      position += bytesRead;
    }
    await written;
  } catch (error) {
    // The buffers go with it: a write may still be under way.
    destination.destroy();
    throw error;
  }
  destination.end();
  if (idle.length < maxIdle) idle.push(...buffers);
}

function takeBuffer(): Buffer {
  return idle.pop() ?? Buffer.allocUnsafeSlow(bufferSize);
}

/** Resolves when `destination` is done with the chunk, so that its memory may be used again. */
function write(destination: Writable, chunk: Buffer, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abandon = guarded(reject, () => reject(signal.reason as Error));
    if (signal.aborted) return abandon();
    signal.addEventListener('abort', abandon, { once: true });
    const done = guarded(reject, (error: Error | null | undefined) => {
      signal.removeEventListener('abort', abandon);
      if (error) reject(error);
      else resolve();
    });
    destination.write(chunk, done);
  });
}
