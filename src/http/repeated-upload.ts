import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Call } from './call.js';
import type { FilePart } from './form.js';
import { receiveForm } from './upload.js';
import type { ReceivedFile, ReceivedForm, UploadStaging } from './upload.js';

/**
 * Receives a repeated upload for its fields and the hash of its file; the file is not stored.
 * @param suffices stops reading at the file; the server discards the rest as it arrives.
 * @throws ServiceError as `receiveForm`.
 */
export const receiveRepeat = (
  { operation, known, request, response }: Call,
  { maxBytes }: Pick<UploadStaging, 'maxBytes'>,
  suffices: NonNullable<FilePart['suffices']>,
): Promise<ReceivedForm> =>
  receiveForm(request, response, {
    part: operation.upload?.part ?? '',
    known,
    maxBytes,
    remainingBytes: Infinity, // the user has already stored it
    keep: hashed,
    suffices,
  });

async function hashed(content: AsyncIterable<Buffer>): Promise<ReceivedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  let checksum = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    checksum = crc32(chunk, checksum);
    bytes += chunk.length;
  }
  return { path: '', bytes, hash: hash.digest(), crc32: checksum };
}
