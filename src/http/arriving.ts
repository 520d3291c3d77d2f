import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { ServiceError } from '../errors/catalogue.js';
import { guarded } from '../guard.js';
import { bytesPerMegabyte } from '../units.js';

/** How much of a body is read, and how long it is waited for. */
export interface BodyLimits {
  readonly bytes: number;
  /** Milliseconds within which the body, or each next piece of it, has to arrive. */
  readonly ms: number;
  readonly per: 'body' | 'piece';
}

/** What ended before its end, or is no form at all. */
export const interrupted = (cause: unknown): ServiceError =>
  new ServiceError('upload_interrupted', {
    message: 'The body ended too early, came too slowly or is malformed.',
    cause,
  });

export const bodyTooLarge = (limit: number): ServiceError =>
  new ServiceError('upload_too_large', {
    message: `The body is larger than the ${limit / bytesPerMegabyte} MB that are accepted here.`,
  });

/**
 * The body of a request, piece by piece, counted as it arrives. Whoever stops reading leaves the rest
 * on the connection, so that an answer can still be sent.
 * @param halt ends the reading with its reason, also while nothing arrives.
 * @throws ServiceError `upload_too_large`, `upload_interrupted`.
 */
export async function* arriving(
  request: IncomingMessage,
  limits: BodyLimits,
  halt?: AbortSignal,
): AsyncGenerator<Buffer, void> {
  if (request.destroyed) throw gone();
  const gate = new PassThrough();
  const fail = (error: unknown): void => void gate.destroy(error as Error);
  const late = guarded(fail, () => fail(interrupted(new Error('the client sends too slowly'))));
  const leave = guarded(fail, () => {
    if (!request.complete) fail(gone());
  });
  const stop = guarded(fail, () => fail(halt?.reason));
  let timer = setTimeout(late, limits.ms);
  let bytes = 0;
  request.once('close', leave);
  halt?.addEventListener('abort', stop);
  request.pipe(gate);
  try {
    for await (const piece of gate as AsyncIterable<Buffer>) {
      if (limits.per === 'piece') clearTimeout(timer); // it is our turn now, not the client's
      bytes += piece.length;
      if (bytes > limits.bytes) throw bodyTooLarge(limits.bytes);
      yield piece;
      if (limits.per === 'piece') timer = setTimeout(late, limits.ms);
    }
  } finally {
    clearTimeout(timer);
    request.off('close', leave);
    halt?.removeEventListener('abort', stop);
    request.unpipe(gate);
  }
}

const gone = (): ServiceError => interrupted(new Error('the connection closed'));

/** A whole body in memory, as UTF-8; bytes that are none become U+FFFD. @throws as {@link arriving}. */
export async function arrivingText(request: IncomingMessage, limits: BodyLimits): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of arriving(request, limits)) pieces.push(piece);
  return new TextDecoder().decode(Buffer.concat(pieces));
}
