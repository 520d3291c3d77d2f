import { read } from 'node:fs';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { guarded } from '../base/guarded.js';
import type { ByteRange } from './port.js';

/**
 * Bytes per read and write. With twice that, a client that does not read holds less than 128 KB in
 * all.
 */
const bufferSize = 40 * 1024;

/** Buffers kept for later downloads; 5 MB. */
const maxIdle = 128;

const idle: Buffer[] = [];

const readFile = promisify(read);

/**
 * Writes a range of an open file to `destination` and ends it; destroys it on failure.
 *
 * Piping a stream allocates a new buffer for every chunk, and half of a download's CPU time goes
 * into garbage collection. Here two buffers alternate, one being read into while the other is being
 * written, and are reused for the next download. A buffer is reused only after its write was
 * reported complete.
 *
 * @param signal aborted when nobody is waiting for the bytes any more.
 */
export async function sendFile(
  file: number,
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
      const { bytesRead } = await readFile(file, buffer, 0, length, position);
      if (bytesRead === 0) throw new Error('the object is shorter than expected');
      await written;
      written = write(destination, buffer.subarray(0, bytesRead), signal);
      // Awaited after the next read; a failure until then must not count as unhandled.
      written.catch(() => undefined);
      position += bytesRead;
    }
    await written;
  } catch (error) {
    // The buffers are abandoned with it, since a write may still be in progress.
    destination.destroy();
    throw error;
  }
  destination.end();
  if (idle.length < maxIdle) idle.push(...buffers);
}

function takeBuffer(): Buffer {
  return idle.pop() ?? Buffer.allocUnsafeSlow(bufferSize);
}

/** Resolves when `destination` has finished with the chunk, so that its memory may be reused. */
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
