import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Request, Response } from 'express';
import { isClientGone } from './client-gone.js';

/** A handler's response that is raw bytes, produced while they are sent, instead of an envelope. */
export class StreamedResponse {
  constructor(
    /** Headers other than the content type, which the operation declares. */
    readonly headers: Readonly<Record<string, string>>,
    /**
     * Writes the body at the client's pace and ends `destination`; stops when `signal` is aborted
     * because the client disconnected. An error before the first byte becomes an ordinary error
     * response as long as `destination` is untouched; a later one breaks the connection.
     */
    readonly write: (destination: Writable, signal: AbortSignal) => Promise<void>,
    /** Media type, if it differs from the operation's first. */
    readonly type?: string,
  ) {}
}

/** Writes a chunk of a body, and waits until the client is ready for the next. */
export async function writeChunk(
  destination: Writable,
  chunk: string | Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (!destination.write(chunk)) await once(destination, 'drain', { signal });
}

/** @param type media type of the body. */
export async function sendStream(
  answer: StreamedResponse,
  type: string,
  { request, response, signal }: { request: Request; response: Response; signal: AbortSignal },
): Promise<void> {
  response.set({ ...answer.headers, 'Content-Type': answer.type ?? type });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    await answer.write(response, signal);
  } catch (error) {
    if (isClientGone(error)) return;
    if (!response.headersSent) {
      for (const name of ['Content-Type', ...Object.keys(answer.headers)]) {
        response.removeHeader(name);
      }
    }
    throw error;
  }
}
