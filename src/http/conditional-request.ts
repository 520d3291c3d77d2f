import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** Identifies one state of a resource; header values, ready to send. */
export interface Validators {
  readonly etag: string;
  readonly lastModified?: string;
}

/**
 * True if the client already has this state: If-None-Match, else If-Modified-Since (RFC 9110,
 * 13.1).
 */
export function isFresh(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) {
    return tags.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return Date.parse(lastModified ?? '') <= since;
}

/** True if a Range header applies: there is no If-Range, or it names this exact state. */
export function rangeApplies(headers: IncomingHttpHeaders, validators: Validators): boolean {
  const condition = headers['if-range'];
  return (
    condition === undefined ||
    condition === validators.etag ||
    condition === validators.lastModified
  );
}

const compress = promisify(gzip);

/** A handler's response that is a small body, produced only if the client does not have it yet. */
export class VersionedResponse {
  constructor(
    /** Changes whenever the bytes may change; includes the quotes. */
    readonly etag: string,
    /** Undefined if there is nothing. */
    readonly make: () => Promise<Buffer | undefined>,
  ) {}
}

/**
 * Answers with the bytes, compressed if the client accepts gzip; with 204 if there are none, and
 * with 304 if the client has them.
 */
export async function sendVersioned(
  { etag, make }: VersionedResponse,
  type: string,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  response.vary('Accept-Encoding');
  // Weak, since the same version may be compressed or not.
  const headers = { ETag: `W/${etag}`, 'Cache-Control': 'private, no-cache' };
  if (isFresh(request.headers, { etag })) return void response.status(304).set(headers).end();
  const bytes = await make();
  response.set(headers);
  if (!bytes) return void response.status(204).end();
  const compressed = request.acceptsEncodings('gzip') === 'gzip';
  const body = compressed ? await compress(bytes) : bytes;
  response.set({ 'Content-Type': type, 'Content-Length': String(body.length) });
  if (compressed) response.set('Content-Encoding', 'gzip');
  response.end(request.method === 'HEAD' ? undefined : body);
}
