import type { IncomingMessage } from 'node:http';
import { ServiceError, invalidField } from '../base/errors/catalogue.js';
import {
  bodyChunks,
  interrupted,
  type BodyLimits,
  readParts,
  valueAndParameters,
  type Part,
} from './multipart.js';
import {
  type Decode,
  decoderOf,
  decodeUtf8,
  FormFields,
  fieldsTooLarge,
  type FieldRules,
  type RawFields,
} from './form-fields.js';

/** Maximum number of files in a form: files other than the expected one are skipped. */
const filesLimit = 10;

/** RFC 2046 allows 70 characters; no client sends more than this. */
const maxBoundary = 200;

/** The expected file of a form; other files are skipped. */
export interface FilePart {
  readonly name: string;
  readonly maxBytes: number;
  /** Stops reading the form when the file is larger. */
  readonly tooLarge: () => ServiceError;
  /** Must consume the file. @param name of the file, as the client sent it. */
  readonly receive: (file: AsyncIterable<Buffer>, name: string | undefined) => Promise<void>;
  /** Called with the name of each skipped file. */
  readonly skip: (name: string) => void;
  /**
   * Whether the fields before the file are enough; if so, neither the file nor anything after it is
   * read. May also refuse the form for them.
   */
  readonly suffices?: (fields: () => RawFields) => Promise<boolean>;
}

/**
 * Parses a multipart form as it arrives. On failure, or when `suffices` returns true, the rest of
 * the body is left unread, so that a response can still be sent.
 *
 * A known field is text even if it comes as a file, as some clients send everything.
 *
 * @throws ServiceError `upload_interrupted`, `upload_too_large`, `unsupported_media_type`,
 *   `invalid_field`, `too_many_files`, and whatever `receive` and `suffices` throw.
 */
export async function readForm(
  request: IncomingMessage,
  limits: BodyLimits,
  rules: FieldRules,
  decode: Decode,
  file?: FilePart,
): Promise<RawFields> {
  const fields = new FormFields(rules, decode);
  let files = 0;
  let expected = 0;
  for await (const part of readParts(bodyChunks(request, limits), boundaryOf(request))) {
    const name = nameOf(part);
    assertUnencoded(name, part);
    if (name === file?.name && ++expected > 1) throw tooManyFiles(name);
    if (!isFile(part, file?.name, name) || (fields.wants(name) && name !== file?.name)) {
      await readField(fields, name, part);
      continue;
    }
    files += 1;
    if (files > filesLimit) throw fieldsTooLarge();
    if (name !== file?.name) {
      file?.skip(name);
      continue;
    }
    if (await file.suffices?.(() => fields.toRaw())) break;
    await file.receive(bounded(part.content, file), fileNameOf(part, decode));
  }
  return fields.toRaw();
}

const tooManyFiles = (field: string): ServiceError =>
  new ServiceError('too_many_files', {
    field,
    message: `The form has more than one part ${field}; send each file in a request of its own.`,
  });

/** RFC 7578, section 4.2: every part must have a name. */
function nameOf({ name }: Part): string {
  if (name === undefined) throw interrupted(new Error('a part of the form has no name'));
  return name;
}

/** The expected file needs no file name if its type tells it from text. */
const isFile = ({ fileName, type }: Part, expected: string | undefined, name: string): boolean =>
  fileName !== undefined ||
  type === 'application/octet-stream' ||
  (name === expected && type !== '' && !type.startsWith('text/'));

/**
 * The name in the charset that its part declares, else in that of the form, else in UTF-8; undefined if it
 * is none of these, since a name is never a reason to refuse a file.
 */
function fileNameOf({ fileName }: Part, decode: Decode): string | undefined {
  if (!fileName) return undefined;
  const { bytes, charset } = fileName;
  if (charset !== undefined) return decoderOf(charset)?.(bytes);
  return decode(bytes) ?? decodeUtf8(bytes);
}

/** RFC 7578, section 4.7: parts are not encoded. */
function assertUnencoded(name: string, { transferEncoding }: Part): void {
  if (['', '7bit', '8bit', 'binary'].includes(transferEncoding)) return;
  throw invalidField(
    name,
    'sent without a Content-Transfer-Encoding other than 7bit, 8bit, binary',
  );
}

async function readField(fields: FormFields, name: string, part: Part): Promise<void> {
  fields.count(name.length);
  const wanted = fields.wants(name);
  const chunks: Buffer[] = [];
  for await (const chunk of part.content) {
    fields.count(chunk.length, 0);
    if (wanted) chunks.push(chunk);
  }
  if (!wanted) return;
  const [first = Buffer.alloc(0), ...others] = chunks;
  // A copy: a small value must not keep the chunk that it came in.
  const bytes = others.length > 0 ? Buffer.concat(chunks) : Buffer.from(first);
  fields.add(name, bytes, part.charset);
}

async function* bounded(
  content: AsyncIterable<Buffer>,
  { maxBytes, tooLarge }: FilePart,
): AsyncGenerator<Buffer, void> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge();
    yield chunk;
  }
}

function boundaryOf({ headers }: IncomingMessage): string {
  const [, parameters] = valueAndParameters(headers['content-type'] ?? '');
  const boundary = parameters.get('boundary') ?? '';
  if (boundary.length > 0 && boundary.length <= maxBoundary) return boundary;
  throw new ServiceError('unsupported_media_type', {
    message: `The form cannot be parsed: multipart/form-data requires a boundary of 1 to ${maxBoundary} characters.`,
  });
}
