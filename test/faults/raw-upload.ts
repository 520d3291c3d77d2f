import { request, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Image } from '../../testkit/records.js';
import type { Member } from '../../testkit/world.js';

const boundary = 'imgstore-test-boundary';
const head = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="image_data"; filename="a.jpg"\r\n` +
    'Content-Type: image/jpeg\r\n\r\n',
);
const tail = Buffer.from(`\r\n--${boundary}--\r\n`);

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly result: Image;
  readonly error?: { readonly code: string };
}

export interface RawUpload {
  readonly request: ClientRequest;
  readonly answer: Promise<RawAnswer>;
  /** Sends bytes `from` to `to` of the picture. */
  write(from: number, to: number): void;
  /** Ends the form. */
  end(): void;
}

/**
 * An upload whose bytes the test sends step by step. @param user or the path of the images that
 * somebody without a token sends.
 */
export function openUpload(
  url: string,
  user: Pick<Member, 'images'> & { readonly token?: string },
  picture: Uint8Array,
  headers: Record<string, string> = {},
): RawUpload {
  const length = head.length + picture.length + tail.length;
  const sent = request(new URL(user.images, url), {
    method: 'POST',
    headers: {
      ...(user.token !== undefined && { authorization: `User ${user.token}` }),
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(headers['transfer-encoding'] === undefined && { 'content-length': String(length) }),
      ...headers,
    },
  });
  const answer = new Promise<RawAnswer>((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response) => {
      json(response).then((body) => {
        const reported = body as Omit<RawAnswer, 'status' | 'headers'>;
        resolve({ ...reported, status: response.statusCode ?? 0, headers: response.headers });
      }, reject);
    });
  });
  answer.catch(() => undefined); // the caller gets the error when it awaits the answer
  let begun = false;
  return {
    request: sent,
    answer,
    write: (from, to) => {
      if (!begun) sent.write(head);
      begun = true;
      sent.write(picture.subarray(from, to));
    },
    end: () => sent.end(tail),
  };
}
