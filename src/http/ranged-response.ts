import type { Writable } from 'node:stream';
import type { Request, Response } from 'express';
import { ServiceError } from '../base/errors/catalogue.js';
import type { ByteRange } from '../store/port.js';
import { isFresh, rangeApplies } from './conditional-request.js';
import { lengthOf } from './file-headers.js';
import { resolveRange } from './range.js';
import { StreamedResponse, sendStream } from './streamed-response.js';

/** Raw bytes of a known length, any range of which can be produced on its own. */
export interface RangedContent {
  readonly bytes: number;
  /** Changes whenever any byte changes; includes the quotes. */
  readonly etag: string;
  /** Besides those for type, length, range, and validators. */
  readonly headers: Readonly<Record<string, string>>;
  /** As `write` of {@link StreamedResponse}, for a range of the bytes. */
  readonly write: (range: ByteRange, destination: Writable, signal: AbortSignal) => Promise<void>;
  /** Called once when it is no longer needed, whether or not anything was written. */
  readonly release: () => Promise<void>;
}

/** A handler's response that is {@link RangedContent} instead of an envelope. */
export class RangedResponse {
  constructor(readonly content: RangedContent) {}
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly signal: AbortSignal;
}

/**
 * Answers with the whole body, with a range, or with 304 (RFC 9110).
 * @param type media type of the body.
 * @throws ServiceError `range_not_satisfiable`, and whatever `write` throws.
 */
export async function sendRanged(
  { content }: RangedResponse,
  type: string,
  exchange: Exchange,
): Promise<void> {
  try {
    await send(content, type, exchange);
  } finally {
    await content.release();
  }
}

async function send(content: RangedContent, type: string, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const { bytes, etag } = content;
  const headers = { ...content.headers, ETag: etag, 'Accept-Ranges': 'bytes' };
  if (isFresh(request.headers, { etag })) {
    response.status(304).set(headers).end();
    return;
  }
  // Ranges are defined only for GET.
  const ranged = request.method === 'GET' && rangeApplies(request.headers, { etag });
  const range = ranged ? resolveRange(request.headers.range, bytes) : undefined;
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${bytes}`);
    throw new ServiceError('range_not_satisfiable');
  }
  const wanted = range ?? { start: 0, end: bytes - 1 };
  const extent = {
    'Content-Length': String(lengthOf(wanted)),
    ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${bytes}` }),
  };
  response.status(range ? 206 : 200);
  const body = new StreamedResponse({ ...headers, ...extent }, (destination, signal) =>
    content.write(wanted, destination, signal),
  );
  await sendStream(body, type, exchange);
}
