import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { ServiceError } from '../base/errors/catalogue.js';
import { guarded } from '../base/guarded.js';
import { bytesPerMegabyte } from '../base/units.js';

/** Limits on the size and duration of a body. */
export interface BodyLimits {
  readonly bytes: number;
  /** Milliseconds within which the body, or each next chunk of it, must arrive. */
  readonly ms: number;
  readonly per: 'body' | 'chunk';
}

/** A body that was cut off, or is not a valid form. */
export const interrupted = (cause: unknown): ServiceError =>
  new ServiceError('upload_interrupted', {
    message: 'The request body was cut off, arrived too slowly, or is malformed.',
    cause,
  });

const sizeText = (bytes: number): string =>
  bytes < bytesPerMegabyte ? `${bytes / 1024} KB` : `${bytes / bytesPerMegabyte} MB`;

export const bodyTooLarge = (limit: number): ServiceError =>
  new ServiceError('upload_too_large', {
    message: `The request body is larger than the ${sizeText(limit)} accepted here.`,
  });

/**
 * The body of a request, chunk by chunk, counted as it arrives. If the consumer stops early, the
 * rest stays on the connection, so that a response can still be sent.
 * @throws ServiceError `upload_too_large`, `upload_interrupted`.
 */
export async function* bodyChunks(
  request: IncomingMessage,
  limits: BodyLimits,
): AsyncGenerator<Buffer, void> {
  if (request.destroyed) throw gone();
  const gate = new PassThrough();
  const fail = (error: unknown): void => void gate.destroy(error as Error);
  const late = guarded(fail, () => fail(interrupted(new Error('the client sends too slowly'))));
  const leave = guarded(fail, () => {
    if (!request.complete) fail(gone());
  });
  let timer = setTimeout(late, limits.ms);
  let bytes = 0;
  request.once('close', leave);
  request.pipe(gate);
  try {
    for await (const chunk of gate as AsyncIterable<Buffer>) {
      if (limits.per === 'chunk') clearTimeout(timer); // the consumer's time does not count against the client
      bytes += chunk.length;
      if (bytes > limits.bytes) throw bodyTooLarge(limits.bytes);
      yield chunk;
      if (limits.per === 'chunk') timer = setTimeout(late, limits.ms);
    }
  } finally {
    clearTimeout(timer);
    request.off('close', leave);
    request.unpipe(gate);
  }
}

const gone = (): ServiceError => interrupted(new Error('the connection closed'));

/** Reads a whole body into memory. @throws as {@link bodyChunks}. */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bodyChunks(request, limits)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
