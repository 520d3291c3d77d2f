import type { IncomingHttpHeaders } from 'node:http';

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
