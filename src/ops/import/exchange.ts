import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

/** A file that is sent as the part `image_data`, after the fields. */
export interface SentFile {
  readonly path: string;
  readonly bytes: number;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** Sent as JSON, or as a form if there is a file. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly file?: SentFile;
  readonly idempotencyKey?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
  /** Seconds. */
  readonly retryAfter: number | undefined;
}

/** The file has changed since it was hashed. */
export class ChangedFileError extends Error {
  override readonly name = 'ChangedFileError';
}

const agent = new Agent({ keepAlive: true, maxFreeSockets: 16 });

/** Sends a request and reads the answer. @throws ChangedFileError, and errors of the connection. */
export async function exchange(
  base: string,
  { method, path, fields, file, idempotencyKey }: HttpRequest,
  token: string,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const body = file ? formOf(fields ?? {}, file) : jsonOf(fields);
  const request = httpRequest(new URL(path, base), {
    method,
    agent,
    signal,
    headers: {
      authorization: `User ${token}`,
      ...body.headers,
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
  });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  const sending = pipeline(Readable.from(body.chunks(), { objectMode: false }), request);
  sending.catch(() => undefined); // it fails if the answer comes before the end
  const [response] = await Promise.race([answered, sending.then(() => answered)]);
  const { statusCode: status = 0, headers } = response;
  const answer = {
    status,
    text: await text(response),
    replayed: headers['idempotency-replayed'] === 'true',
    retryAfter: headers['retry-after'] === undefined ? undefined : Number(headers['retry-after']),
  };
  if (!request.writableEnded) request.destroy();
  return answer;
}

interface Body {
  readonly headers: Readonly<Record<string, string | number>>;
  readonly chunks: () => AsyncGenerator<Buffer>;
}

function jsonOf(fields: HttpRequest['fields']): Body {
  const json = Buffer.from(fields ? JSON.stringify(fields) : '');
  return {
    headers: fields ? { 'content-type': 'application/json', 'content-length': json.length } : {},
    chunks: async function* () {
      if (json.length > 0) yield json;
    },
  };
}

/** Fields come first: the service may be able to answer without reading the file. */
function formOf(fields: Readonly<Record<string, unknown>>, { path, bytes }: SentFile): Body {
  const boundary = `imgstore-${randomUUID()}`;
  const part = (about: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${about}\r\n\r\n`;
  const texts = Object.entries(fields).map(
    ([name, value]) => `${part(`name="${name}"`)}${String(value)}\r\n`,
  );
  const head = Buffer.from(`${texts.join('')}${part('name="image_data"; filename="image"')}`);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + bytes + tail.length,
    },
    chunks: async function* () {
      yield head;
      let left = bytes;
      if (bytes > 0) {
        const stream = createReadStream(path, { end: bytes - 1, highWaterMark: 256 * 1024 });
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          left -= chunk.length;
          yield chunk;
        }
      }
      if (left > 0) throw new ChangedFileError(`${path} became shorter`);
      yield tail;
    },
  };
}
