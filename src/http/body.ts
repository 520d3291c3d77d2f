import type { Request as ExpressRequest, Response } from 'express';
import { ServiceError } from '../base/errors/catalogue.js';
import { readBody, bodyTooLarge, valueAndParameters } from './multipart.js';
import { decoderOf, decodeUtf8, type Decode } from './charset.js';
import { urlencodedFields, type FieldRules } from './form-fields.js';
import { readForm } from './form.js';
import { jsonFields } from './json-body.js';
import type { RawFields } from './validate.js';
import { secondMs } from '../base/units.js';

/** Bodies without a file are small; one that takes longer than this is stalled on purpose. */
const fieldsTimeMs = 30 * secondMs;

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
  return bodyTypeOf(valueAndParameters(headers['content-type'] ?? '')[0]);
}

/** The decoder of the charset that a body declares. @throws ServiceError `unsupported_media_type`. */
export function decoderFor({ headers }: ExpressRequest): Decode {
  const charset = valueAndParameters(headers['content-type'] ?? '')[1].get('charset');
  const decode = charset === undefined ? decodeUtf8 : decoderOf(charset);
  if (decode) return decode;
  throw new ServiceError('unsupported_media_type', {
    message: 'Send text as UTF-8, or in another charset of the Encoding Standard.',
  });
}

/** Asks a client that sent Expect: 100-continue for the body. */
export function sendContinue({ headers }: ExpressRequest, response: Response): void {
  if (headers.expect?.toLowerCase() !== '100-continue') return;
  response.writeContinue();
}

function bodyTypeOf(contentType: string): BodyType {
  switch (contentType) {
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
export async function readFields(
  request: ExpressRequest,
  response: Response,
  rules: FieldRules,
): Promise<RawFields> {
  const { bytes } = rules.limits;
  const kind = expectedBodyType(request, bytes);
  if (kind === undefined) return {};
  const decode = decoderFor(request);
  sendContinue(request, response);
  const limits = { bytes, ms: fieldsTimeMs, per: 'body' } as const;
  switch (kind) {
    case 'multipart':
      return readForm(request, limits, rules, decode);
    case 'urlencoded':
      return urlencodedFields(await readBody(request, limits), rules, decode);
    case 'json':
      return jsonFields(await readBody(request, limits), rules, decode);
  }
}
