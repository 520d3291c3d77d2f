import type { UnfinishedUpload } from '../port.js';
import type { Bucket } from './bucket.js';
import { isUploadMissing, S3AnswerError } from './errors.js';

interface MultipartUpload extends UnfinishedUpload {
  readonly uploadId: string;
}

/** Multipart uploads that were neither completed nor aborted. */
export async function* listMultipartUploads(
  bucket: Bucket,
  prefix: string,
): AsyncGenerator<MultipartUpload> {
  const { endpoints, name, prefix: own } = bucket;
  let listed = new Set<string>();
  for (let after = { key: '', uploadId: '' }; ;) {
    const page = await endpoints.call((client) =>
      client.listIncompleteUploadsQuery(name, own + prefix, after.key, after.uploadId, ''),
    );
    // Some servers begin a page with the last item of the previous one.
    const fresh = page.uploads.filter(({ uploadId }) => !listed.has(uploadId));
    for (const { key, uploadId } of fresh) yield { key: key.slice(own.length), uploadId };
    if (!page.isTruncated) return;
    // The last one, since the client does not return NextUploadIdMarker.
    const { key, uploadId } = page.uploads.at(-1) ?? { key: page.nextKeyMarker, uploadId: '' };
    if (key < after.key || (key === after.key && fresh.length === 0)) {
      throw new S3AnswerError('InvalidAnswer', `the list of uploads does not go on after ${key}`);
    }
    listed = new Set(page.uploads.map((upload) => upload.uploadId));
    after = { key, uploadId };
  }
}

/**
 * Aborts the unfinished uploads of these keys: their parts are freed, and none can become an
 * object.
 */
export async function abortMultipartUploads(
  bucket: Bucket,
  keys: readonly string[],
): Promise<void> {
  const [only = ''] = keys;
  for await (const { key, uploadId } of listMultipartUploads(
    bucket,
    keys.length === 1 ? only : '',
  )) {
    if (!keys.includes(key)) continue;
    await bucket.endpoints
      .call((client) => client.abortMultipartUpload(bucket.name, bucket.prefix + key, uploadId))
      .catch((error: unknown) => {
        // An earlier attempt whose answer was lost aborted it, or another node.
        if (!isUploadMissing(error)) throw error;
      });
  }
}
