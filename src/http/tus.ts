import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ServiceError, invalidField } from '../base/errors/catalogue.js';
import type { Exchange } from './operation.js';

// The protocol tus 1.0.0 (https://tus.io): its headers, read and written; what uploads are is
// src/library/resumable.

const version = '1.0.0';
const extensions = 'creation,creation-with-upload,expiration,termination,checksum';
const algorithm = 'sha256';

/** The media type of bytes of a file. */
export const bytesType = 'application/offset+octet-stream';

/** Headers of every answer but that to OPTIONS. */
export const protocolHeaders = { 'Tus-Resumable': version } as const;

/** What this server supports. @param maxBytes of a file. */
export const capabilities = (maxBytes: number) => ({
  ...protocolHeaders,
  'Tus-Version': version,
  'Tus-Extension': extensions,
  'Tus-Max-Size': String(Math.floor(maxBytes)),
  'Tus-Checksum-Algorithm': algorithm,
});

/** Headers of requests and of answers, which browsers must be allowed to send and to read. */
export const requestHeaderNames = [
  'Tus-Resumable',
  'Upload-Length',
  'Upload-Offset',
  'Upload-Metadata',
  'Upload-Checksum',
  'Upload-Defer-Length',
  'Upload-Concat',
  'X-HTTP-Method-Override',
  'X-Requested-With',
] as const;
export const answerHeaderNames = [
  'Location',
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Checksum-Algorithm',
  'Upload-Offset',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Expires',
  'Upload-Image-Id',
] as const;

/** @throws ServiceError `unsupported_version`; the answer then says which one is. */
export function assertVersion({ headers, set }: Pick<Exchange<string>, 'headers' | 'set'>): void {
  if (headers['tus-resumable'] === version) return;
  set({ 'Tus-Version': version });
  throw new ServiceError('unsupported_version', { field: 'Tus-Resumable' });
}

/** A number of bytes up to 10^15. Repeated headers are joined by commas, and so are not one. */
function byteCount(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/**
 * The length of the file of a new upload.
 * @throws ServiceError `invalid_field`; `upload_too_large`.
 */
export function announcedLength(headers: IncomingHttpHeaders, maxBytes: number): number {
  if (headers['upload-concat'] !== undefined) {
    throw invalidField('Upload-Concat', 'omitted: uploads are not joined');
  }
  const length = byteCount(headers['upload-length']) ?? 0;
  if (length === 0) {
    throw invalidField('Upload-Length', 'the length of the file in bytes, known when it begins');
  }
  if (length <= maxBytes) return length;
  const message = `The file is larger than the ${Math.floor(maxBytes)} bytes that this server accepts.`;
  throw new ServiceError('upload_too_large', { message, field: 'Upload-Length' });
}

/** The offset at which the bytes of a request begin. @throws ServiceError `invalid_field`. */
export function sentOffset(headers: IncomingHttpHeaders): number {
  const offset = byteCount(headers['upload-offset']);
  if (offset === undefined) throw invalidField('Upload-Offset', 'a number of bytes');
  return offset;
}

/** The SHA-256 that the bytes of a request must have. @throws ServiceError `invalid_field`. */
export function sentChecksum(headers: IncomingHttpHeaders): Buffer | undefined {
  const header = headers['upload-checksum'];
  if (header === undefined) return undefined;
  const [name, value = '', ...rest] = String(header).split(' ');
  const checksum = decodeBase64(value);
  if (name === algorithm && checksum?.length === 32 && rest.length === 0) return checksum;
  throw invalidField('Upload-Checksum', `"${algorithm}", a blank, and the digest in base64`);
}

const metadataHeader = 'Upload-Metadata';

/** More than any client sends; unknown names count. */
const maxPairs = 200;

const pairShape = /^([!-+\--~]+)(?: ([A-Za-z0-9+/=]*))?$/;

/**
 * The values of Upload-Metadata by name, not decoded as text yet.
 * @throws ServiceError `invalid_field`.
 */
export function readMetadata(header: string): Map<string, Buffer> {
  const values = new Map<string, Buffer>();
  const pairs = header === '' ? [] : header.split(',', maxPairs + 1);
  if (pairs.length > maxPairs) throw invalidField(metadataHeader, `at most ${maxPairs} pairs`);
  for (const pair of pairs) {
    const [, name, encoded = ''] = pairShape.exec(pair.trim()) ?? [];
    const value = decodeBase64(encoded);
    if (name === undefined || value === undefined) {
      throw invalidField(
        metadataHeader,
        'pairs joined by commas, each a name of ASCII characters, a blank, and a value in base64',
      );
    }
    if (values.has(name)) throw invalidField(metadataHeader, 'pairs with different names');
    values.set(name, value);
  }
  return values;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** @returns undefined for what is not padded base64; Node itself would skip what is wrong. */
const decodeBase64 = (text: string): Buffer | undefined =>
  base64.test(text) ? Buffer.from(text, 'base64') : undefined;

/** The headers of an upload in answers. */
export const uploadHeaders = (upload: {
  readonly offset: number;
  readonly expiresAt: Date | undefined;
  readonly imageId: string | null;
}): Record<string, string> => ({
  'Upload-Offset': String(upload.offset),
  ...(upload.expiresAt && { 'Upload-Expires': upload.expiresAt.toUTCString() }),
  ...(upload.imageId !== null && { 'Upload-Image-Id': upload.imageId }),
});

/** Methods that a client may send as POST, naming them in X-HTTP-Method-Override. */
const overriding = new Set(['PATCH', 'DELETE', 'HEAD']);

/** Of an upload of a user, or of a visitor of a link. */
const uploadPath = /^\/(?:api\/v1\/users|s)\/[^/?]+\/uploads\/[^/?]+\/?(?:\?|$)/i;

/** The method that is meant: some networks let only GET and POST through. */
export function meantMethod({
  method,
  url,
  headers,
}: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): string | undefined {
  const override = headers['x-http-method-override'];
  const meant = typeof override === 'string' ? override.toUpperCase() : '';
  const isMeant = method === 'POST' && overriding.has(meant) && uploadPath.test(url ?? '');
  return isMeant ? meant : method;
}

/**
 * The error of a request for which something is unavailable. A client that asks for its offset begins anew
 * on every error but 423, which it takes for "later"; the file would then be stored twice in the end.
 */
export const unavailableCode = ({
  method,
  url,
}: Pick<IncomingMessage, 'method' | 'url'>): 'upload_locked' | 'unavailable' =>
  method === 'HEAD' && uploadPath.test(url ?? '') ? 'upload_locked' : 'unavailable';
