import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { guarded, ignore } from '../base/guarded.js';
import type { ObjectBody } from '../store/port.js';
import { bytesPerMegabyte } from '../base/units.js';
import { disconnectSignal, isClientGone } from './client-gone.js';

/** Up to this size a body is read and sent at once: thumbnails and most display renditions. */
const bufferedBytes = 256 * 1024;

/**
 * Bytes that such bodies may hold in memory in total. Beyond that, for example when many clients do
 * not read, they are streamed as well.
 */
const maxHeldBytes = 64 * bytesPerMegabyte;

let heldBytes = 0;

/**
 * Sends a response at the client's pace. Closes the connection if the store fails halfway.
 *
 * @param bytes length of the body.
 * @param headers as `writeHead` takes them.
 */
export async function sendBody(
  body: ObjectBody,
  bytes: number,
  response: ServerResponse,
  status: number,
  headers: string[],
): Promise<void> {
  if (response.destroyed) body.stream.destroy();
  else if (bytes <= bufferedBytes && heldBytes + bytes <= maxHeldBytes && body.read) {
    heldBytes += bytes;
    const release = guarded(ignore, () => (heldBytes -= bytes));
    response.once('close', release);
    const whole = await body.read();
    response.writeHead(status, headers).end(whole);
  } else {
    response.writeHead(status, headers);
    await sendStreamed(body, response);
  }
}

async function sendStreamed(body: ObjectBody, response: ServerResponse): Promise<void> {
  const signal = disconnectSignal(response);
  try {
    if (body.sendTo) await body.sendTo(response, signal);
    else await pipeline(body.stream, response, { signal });
  } catch (error) {
    if (!isClientGone(error)) throw error;
  }
}
