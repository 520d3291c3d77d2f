import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { Call } from './call.js';
import type { FilePart } from './form.js';
import { receiveForm } from './upload.js';
import type { ReceivedFile, ReceivedForm, UploadStaging } from './upload.js';

/**
 * Receives an upload whose key is known for its fields and the hash of its file, which is not stored.
 * @param suffices stops reading at the file, whose rest the server discards as it comes.
 * @throws ServiceError as `receiveForm`.
 */
export const receiveRepeat = (
  { operation, request, response }: Call,
  { maxBytes }: Pick<UploadStaging, 'maxBytes'>,
  suffices: NonNullable<FilePart['suffices']>,
): Promise<ReceivedForm> =>
  receiveForm(request, response, {
    part: operation.upload?.part ?? '',
    maxBytes,
    remainingBytes: Infinity, // the user has stored it already
    keep: hashed,
    suffices,
  });

async function hashed(content: Readable): Promise<ReceivedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  let checksum = 0;
  for await (const piece of content as AsyncIterable<Buffer>) {
    hash.update(piece);
    checksum = crc32(piece, checksum);
    bytes += piece.length;
  }
  return { path: '', bytes, hash: hash.digest(), crc32: checksum };
}
