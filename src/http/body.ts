import type { Request as ExpressRequest, Response } from 'express';
import { ServiceError } from '../errors/catalogue.js';
import { readBodyText, bodyTooLarge } from './body-stream.js';
import { fieldLimits, urlencodedFields } from './form-fields.js';
import { readForm } from './form.js';
import { jsonFields } from './json-body.js';
import type { RawFields } from './validate.js';
import { secondMs } from '../units.js';

/** Bodies without a file are small; one that takes longer than this is stalled on purpose. */
const fieldsTimeMs = 30 * secondMs;

const bodyLimits = { bytes: fieldLimits.bytes, ms: fieldsTimeMs, per: 'body' } as const;

export type BodyType = 'multipart' | 'urlencoded' | 'json';

/** The declared length of a request body in bytes; 0 if there is no body or no declared length. */
export const contentLength = ({ headers }: ExpressRequest): number =>
  Number(headers['content-length'] ?? 0);

/**
 * The type of the body that follows; undefined if there is none.
 * @param maxBytes limit for the whole body.
 * @throws ServiceError `upload_too_large`, `unsupported_media_type`.
 */
export function expectedBodyType(request: ExpressRequest, maxBytes: number): BodyType | undefined {
  const { headers } = request;
  const length = contentLength(request);
  if (length > maxBytes) throw bodyTooLarge(maxBytes);
  if (headers['transfer-encoding'] === undefined && length === 0) return undefined;
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type', {
      message: 'Send the body without a Content-Encoding.',
    });
  }
  const type = headers['content-type'] ?? '';
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1]?.toLowerCase() ?? 'utf-8';
  if (!readable.includes(charset)) {
    throw new ServiceError('unsupported_media_type', { message: 'Send text as UTF-8.' });
  }
  return bodyTypeOf(type);
}

/** Names of UTF-8 and its subsets. */
const readable = ['utf-8', 'utf8', 'us-ascii'];

/** Asks a client that sent Expect: 100-continue for the body. */
export function sendContinue({ headers }: ExpressRequest, response: Response): void {
  if (headers.expect?.toLowerCase() !== '100-continue') return;
  response.writeContinue();
  response.shouldKeepAlive = headers.connection?.toLowerCase() !== 'close';
}

function bodyTypeOf(contentType: string): BodyType {
  switch (contentType.split(';', 1)[0]?.trim().toLowerCase()) {
    case 'multipart/form-data':
      return 'multipart';
    case 'application/x-www-form-urlencoded':
      return 'urlencoded';
    case 'application/json':
      return 'json';
    default:
      throw new ServiceError('unsupported_media_type', {
        message: 'Send multipart/form-data, application/x-www-form-urlencoded or application/json.',
      });
  }
}

/**
 * Reads the fields of a request without a file, from a form or a JSON object.
 * @throws ServiceError as {@link expectedBodyType}, {@link readForm} and {@link jsonFields}.
 */
export async function readFields(request: ExpressRequest, response: Response): Promise<RawFields> {
  const kind = expectedBodyType(request, fieldLimits.bytes);
  sendContinue(request, response);
  switch (kind) {
    case 'multipart':
      return readForm(request, bodyLimits);
    case 'urlencoded':
      return urlencodedFields(await readBodyText(request, bodyLimits));
    case 'json':
      return jsonFields(await readBodyText(request, bodyLimits));
    case undefined:
      return {};
  }
}
