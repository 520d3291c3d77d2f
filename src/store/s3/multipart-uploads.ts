import type { UnfinishedUpload } from '../port.js';
import type { Bucket } from './bucket.js';

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
  for (let after = '', more = true; more;) {
    const page = await endpoints.call((client) =>
      client.listIncompleteUploadsQuery(name, own + prefix, after, '', ''),
    );
    // Some servers begin a page with the last item of the previous one.
    const fresh = page.uploads.filter(({ uploadId }) => !listed.has(uploadId));
    for (const { key, uploadId } of fresh) yield { key: key.slice(own.length), uploadId };
    listed = new Set(page.uploads.map(({ uploadId }) => uploadId));
    more = page.isTruncated && page.nextKeyMarker > after;
    after = page.nextKeyMarker;
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
    await bucket.endpoints.call((client) =>
      client.abortMultipartUpload(bucket.name, bucket.prefix + key, uploadId),
    );
  }
}
