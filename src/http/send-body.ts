import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { guarded, ignore } from '../guarded.js';
import type { ObjectBody } from '../store/port.js';
import { bytesPerMegabyte } from '../units.js';
import { disconnectSignal, isClientGone } from './client-gone.js';

/** Up to this size a body is read and sent at once: thumbnails and most display renditions. */
const smallBytes = 256 * 1024;

/**
 * Bytes that such bodies may hold in all. With more, as when many clients do not read, they are sent
 * piece by piece as well.
 */
const mostHeld = 64 * bytesPerMegabyte;

let held = 0;

/**
 * Sends a response at the client's pace. If the store fails halfway, breaks the connection.
 *
 * @param bytes length of what is sent.
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
  else if (bytes <= smallBytes && held + bytes <= mostHeld && body.read) {
    held += bytes;
    const release = guarded(ignore, () => (held -= bytes));
    response.once('close', release);
    const whole = await body.read();
    response.writeHead(status, headers).end(whole);
  } else {
    response.writeHead(status, headers);
    await sendStepwise(body, response);
  }
}

async function sendStepwise(body: ObjectBody, response: ServerResponse): Promise<void> {
  const signal = disconnectSignal(response);
  try {
    if (body.sendTo) await body.sendTo(response, signal);
    else await pipeline(body.stream, response, { signal });
  } catch (error) {
    if (!isClientGone(error)) throw error;
  }
}
