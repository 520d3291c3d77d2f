import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import type { BusboyInstance } from '@fastify/busboy';
import { ServiceError } from '../errors/catalogue.js';
import { guarded } from '../guarded.js';
import { bodyChunks, interrupted } from './body-stream.js';
import type { BodyLimits } from './body-stream.js';
import { FormFields, fieldLimits, fieldsTooLarge, uploadFieldLimits } from './form-fields.js';
import type { RawFields } from './validate.js';

/** Maximum number of files in a form: files other than the expected one are skipped. */
const filesLimit = 10;

/** More than any form needs: a part has about three headers. */
const partHeaders = { headerPairs: 50, headerSize: 16 * 1024 };

/** The expected file of a form; other files are skipped. */
export interface FilePart {
  readonly name: string;
  readonly maxBytes: number;
  /** Stops reading the form when the file is larger. */
  readonly tooLarge: () => ServiceError;
  /** Must consume the file; its stream ends with an error if the form fails. */
  readonly receive: (file: Readable) => Promise<void>;
  /** Called with the name of each skipped file. */
  readonly skip: (name: string) => void;
  /**
   * Whether the fields before the file are enough; if so, neither the file nor anything after it is
   * read.
   */
  readonly suffices?: (fields: RawFields) => boolean;
}

/** Thrown to stop reading once `suffices` is true. */
const enough = new Error('enough of the form has been read');

/**
 * Parses a multipart form as it arrives. On failure, or when `suffices` returns true, the rest of
 * the body is left unread, so that a response can still be sent.
 *
 * @throws ServiceError `upload_interrupted`, `upload_too_large`, `unsupported_media_type`, and
 *   whatever `receive` throws.
 */
export async function readForm(
  request: IncomingMessage,
  limits: BodyLimits,
  part?: FilePart,
): Promise<RawFields> {
  const fields = new FormFields(part ? uploadFieldLimits : fieldLimits);
  const form = openForm(request, part?.maxBytes ?? 0);
  const fail = (error: unknown): void => void form.destroy(error as Error);
  let wanted: Readable | undefined;
  let receiving: Promise<void> | undefined;

  const takeField = guarded(fail, (name: unknown, value: string, _cut: boolean, cut: boolean) => {
    if (cut) throw fieldsTooLarge();
    fields.add(named(name), value);
  });
  const takeFile = guarded(fail, (name: unknown, file: Readable) => {
    file.on('error', () => undefined); // the form's own error is more specific
    if (named(name) !== part?.name || wanted) {
      part?.skip(named(name));
      return void file.resume();
    }
    wanted = file;
    if (part.suffices?.(fields.toRaw())) throw enough;
    const overflow = guarded(fail, () => fail(part.tooLarge()));
    file.once('limit', overflow);
    receiving = part.receive(file);
    receiving.catch(fail);
  });
  const refuse = guarded(fail, () => fail(fieldsTooLarge()));
  form.on('field', takeField).on('file', takeFile);
  form.on('fieldsLimit', refuse).on('filesLimit', refuse).on('partsLimit', refuse);
  form.on('error', () => undefined); // the first one stops reading; there may be more

  const halt = new AbortController();
  const fed = feed(form, bodyChunks(request, limits, halt.signal));
  try {
    await Promise.all([once(form, 'finish'), fed]);
    await receiving;
    return fields.toRaw();
  } catch (error) {
    const known = error === enough || error instanceof ServiceError;
    const reason = known ? (error as Error) : interrupted(error);
    fail(reason);
    halt.abort(reason);
    wanted?.destroy(reason);
    await Promise.allSettled([fed, receiving]);
    if (reason === enough) return fields.toRaw();
    throw reason;
  }
}

/** Feeds a body to the parser at the parser's pace; rethrows what the parser throws. */
async function feed(form: BusboyInstance, body: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of body) {
    if (form.destroyed) return; // the other side reports the reason
    if (!form.write(chunk)) await once(form, 'drain');
  }
  form.end();
}

/** RFC 7578, section 4.2: every part must have a name. */
function named(name: unknown): string {
  if (typeof name !== 'string') throw interrupted(new Error('a part of the form has no name'));
  return name;
}

function openForm({ headers }: IncomingMessage, fileSize: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: {
        fileSize,
        files: filesLimit,
        fields: fieldLimits.fields,
        parts: fieldLimits.fields + filesLimit,
        fieldSize: fieldLimits.bytes,
        ...partHeaders,
      },
    });
  } catch (cause) {
    throw new ServiceError('unsupported_media_type', {
      message: 'The form cannot be parsed: multipart/form-data requires a boundary.',
      cause,
    });
  }
}
