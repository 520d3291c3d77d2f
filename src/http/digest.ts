import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError, invalidField } from '../base/errors/catalogue.js';

// The digest that headers announce of an upload (RFC 9530), so that a file that is known need not be
// sent. What they mean of a form is decided in docs/adr/0016.

/** What the headers of an upload say of it: each a SHA-256. */
export interface SentDigests {
  /** Of the picture, from `Repr-Digest`. */
  readonly picture?: Buffer;
  /** Of the picture or of the whole form, from `Content-Digest`. */
  readonly content?: Buffer;
}

export const digestHeaders = { picture: 'Repr-Digest', content: 'Content-Digest' } as const;

/** Members of a dictionary of RFC 9651, all of whose values are byte sequences, as RFC 9530 demands. */
const member = /^([a-z*][a-z0-9_.*-]*)=:((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?):$/;

/** More than there are algorithms. */
const maxMembers = 20;

/**
 * The digests that a request announces; algorithms other than sha-256 are ignored.
 * @throws ServiceError `invalid_field` that names the header.
 */
export function sentDigests(headers: IncomingHttpHeaders): SentDigests {
  const picture = sha256In(headers, digestHeaders.picture);
  const content = sha256In(headers, digestHeaders.content);
  return { ...(picture && { picture }), ...(content && { content }) };
}

function sha256In(headers: IncomingHttpHeaders, name: string): Buffer | undefined {
  const value = headers[name.toLowerCase()];
  if (value === undefined) return undefined;
  const members = String(value)
    .split(',', maxMembers + 1)
    .map((text) => member.exec(text.trim()));
  const last = members.findLast((found) => found?.[1] === 'sha-256'); // as in any dictionary
  const hash = last && Buffer.from(last[2] ?? '', 'base64');
  const isWrong = members.length > maxMembers || members.includes(null);
  if (isWrong || (hash && hash.length !== 32)) {
    throw invalidField(name, 'as in RFC 9530: sha-256=:, the SHA-256 in base64, and a colon');
  }
  return hash ?? undefined;
}

/**
 * @throws ServiceError `hash_mismatch` if what arrived has another digest than its headers announced.
 * @param body SHA-256 of the whole form, if it was read to its end.
 */
export function assertDigests(
  { picture, content }: SentDigests,
  file: Buffer,
  body: Buffer | undefined,
): void {
  if (picture?.equals(file) === false) throw hashMismatch(digestHeaders.picture, picture, file);
  const isContent = content === undefined || content.equals(file) || body?.equals(content);
  if (!isContent) throw hashMismatch(digestHeaders.content, content, file);
}

/** The error for a file that is not the one that a field or header announced. */
export function hashMismatch(field: string, announced: Buffer, file: Buffer): ServiceError {
  const [expected, actual] = [announced, file].map((hash) => hash.toString('hex'));
  return new ServiceError('hash_mismatch', {
    field,
    message: `The file that arrived has the SHA-256 ${actual}, not ${expected}; send it again.`,
    details: { expected, actual },
  });
}
