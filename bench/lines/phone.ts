import { createReadStream } from 'node:fs';
import { Upload } from 'tus-js-client';
import type { Line } from '../../testkit/line.js';
import type { CreatedUser } from '../../testkit/records.js';
import type { PhoneFile } from './files.js';
import type { Watch } from './watch.js';

/** A client with one file to send. */
export interface Phone {
  readonly owner: CreatedUser;
  readonly file: PhoneFile;
  readonly line: Line;
}

/** Where a phone uploads, and as whom. */
export const addressOf = ({ owner, line }: Phone) => ({
  endpoint: `${line.url}/api/v1/users/${owner.user_id}/uploads`,
  headers: { Authorization: `User ${owner.access_token}` },
});

/**
 * Sends the file with tus-js-client.
 * @param retryDelays in milliseconds, for failures between which nothing arrives.
 * @returns the id of the image. @throws Error when the client gives up, or `signal` is aborted.
 */
export const uploadFrom = (
  phone: Phone,
  watch: Watch,
  retryDelays: readonly number[],
  signal: AbortSignal,
): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    let imageId: string | undefined;
    const upload = new Upload(createReadStream(phone.file.path), {
      ...addressOf(phone),
      uploadSize: phone.file.bytes,
      metadata: { filename: 'photo.jpg' },
      retryDelays: [...retryDelays],
      onAfterResponse: (request, response) => {
        watch.note({
          method: request.getMethod(),
          url: new URL(request.getURL()).pathname,
          status: response.getStatus(),
          offset: response.getHeader('Upload-Offset'),
        });
        imageId = response.getHeader('Upload-Image-Id') ?? imageId;
      },
      onError: (error) => {
        signal.removeEventListener('abort', stop);
        reject(error);
      },
      onSuccess: () => {
        signal.removeEventListener('abort', stop);
        resolve(imageId);
      },
    });
    const stop = (): void => {
      void upload.abort();
      reject(new Error('the upload did not end in time'));
    };
    signal.addEventListener('abort', stop, { once: true });
    upload.start();
  });
