import { json } from 'express';
import type { Request as ExpressRequest, Response } from 'express';
import { ServiceError, invalidField } from '../errors/catalogue.js';
import { fieldBytesLimit, fileTooLarge, readForm } from './form.js';
import type { RawFields } from './input.js';
import type { ReceivedForm, UploadLimits } from './upload.js';
import { receiveUpload } from './upload.js';

const parseJson = json({ limit: fieldBytesLimit });

/**
 * Reads the body of a request: urlencoded and multipart forms or a JSON object.
 * @param part name of the file part, for uploads.
 */
export async function readBody(
  request: ExpressRequest,
  response: Response,
  part: string | undefined,
  limits: UploadLimits,
): Promise<ReceivedForm> {
  const fileLimit = part === undefined ? 0 : limits.maxBytes;
  const { headers } = request;
  if (Number(headers['content-length'] ?? 0) > fileLimit + fieldBytesLimit) {
    throw fileTooLarge(fileLimit || fieldBytesLimit);
  }
  if (!hasBody(request)) return { fields: {}, discard: async () => undefined };
  if (headers.expect?.toLowerCase() === '100-continue') {
    response.writeContinue();
    response.shouldKeepAlive = headers.connection?.toLowerCase() !== 'close';
  }

  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  switch (type) {
    case 'multipart/form-data':
    case 'application/x-www-form-urlencoded':
      return part === undefined
        ? { fields: await readForm(request, { fileLimit }), discard: async () => undefined }
        : receiveUpload(request, part, limits);
    case 'application/json':
      return { fields: await readJson(request, response), discard: async () => undefined };
    default:
      throw new ServiceError('unsupported_media_type', {
        message: 'Send multipart/form-data, application/x-www-form-urlencoded or application/json.',
      });
  }
}

const hasBody = ({ headers }: ExpressRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

async function readJson(request: ExpressRequest, response: Response): Promise<RawFields> {
  await new Promise<void>((resolve, reject) =>
    parseJson(request, response, (error?: Error) => (error ? reject(error) : resolve())),
  );
  const body: unknown = request.body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidField('body', 'a JSON object');
  }
  return body as RawFields;
}
