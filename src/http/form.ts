import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { ServiceError } from '../errors/catalogue.js';
import type { RawFields } from './input.js';

/** Bytes that the fields of one request may take together; also what a form may spend beside its file. */
export const fieldBytesLimit = 1024 * 1024;

const fieldsLimit = 2000;

export interface FormFile {
  readonly name: string;
  /** Ends early when the form fails; `truncated` when it passed `fileLimit`. */
  readonly stream: Readable & { truncated: boolean };
  /** Ends the reading of the form with this error. */
  readonly fail: (error: unknown) => void;
}

export interface FormOptions {
  /** Bytes of one file at most. */
  readonly fileLimit: number;
  /** Must consume the stream. Without it files are skipped. */
  readonly onFile?: (file: FormFile) => void;
}

/**
 * Reads an urlencoded or multipart form as it arrives. Fields that come more than once become lists.
 * On failure the rest of the body is left unread, so that an answer can still be sent.
 *
 * @throws ServiceError `upload_interrupted`, `upload_too_large`, `unsupported_media_type`.
 */
export function readForm(request: IncomingMessage, options: FormOptions): Promise<RawFields> {
  return new Promise((resolve, reject) => {
    const fields = Object.create(null) as RawFields;
    const form = openForm(request, options.fileLimit);
    const files = new Set<Readable>();
    let fieldBytes = 0;

    const settle = (finish: () => void): void => {
      request.unpipe(form);
      request.off('close', onClose);
      finish();
    };
    const fail = (error: unknown): void => {
      settle(() => {
        const reason = error instanceof ServiceError ? error : interrupted(error);
        for (const file of files) file.destroy(reason);
        reject(reason);
      });
    };
    const onClose = (): void => {
      if (!request.complete) fail(interrupted(new Error('connection closed')));
    };

    form.on('field', (name, value, _nameCut, valueCut) => {
      fieldBytes += name.length + value.length;
      if (valueCut || fieldBytes > fieldBytesLimit) fail(fieldsTooLarge(name));
      else fields[name] = name in fields ? [fields[name], value].flat() : value;
    });
    form.on('fieldsLimit', () => fail(fieldsTooLarge()));
    if (options.onFile) {
      form.on('file', (name, stream) => {
        files.add(stream);
        stream.once('limit', () => fail(fileTooLarge(options.fileLimit)));
        // Dicer tells the open file of a broken form, too; the form's own error says it all.
        stream.on('error', () => undefined);
        options.onFile?.({ name, stream, fail });
      });
    }
    form.on('error', fail);
    form.on('finish', () => settle(() => resolve(fields)));
    request.once('close', onClose);
    request.pipe(form);
  });
}

function openForm(request: IncomingMessage, fileLimit: number) {
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      limits: { fileSize: fileLimit, fields: fieldsLimit, fieldSize: fieldBytesLimit },
    });
  } catch (cause) {
    throw new ServiceError('unsupported_media_type', {
      message: 'The form is not readable: multipart/form-data needs a boundary.',
      cause,
    });
  }
}

const interrupted = (cause: unknown): ServiceError =>
  new ServiceError('upload_interrupted', {
    message: 'The form ended too early or is malformed.',
    cause,
  });

const fieldsTooLarge = (field?: string): ServiceError =>
  new ServiceError('upload_too_large', { field, message: 'The fields of the form are too large.' });

export const fileTooLarge = (limit: number): ServiceError =>
  new ServiceError('upload_too_large', {
    message: `The file is larger than the ${limit / 1024 / 1024} MB that this server accepts.`,
  });
