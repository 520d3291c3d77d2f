import { timeoutOf } from './connection.js';
import type { Connection } from './connection.js';
import { ImgstoreError } from './errors.js';
import { metadataOf } from './metadata.js';
import type { Image } from './records.js';
import type { Answer } from './retry.js';
import { secureCrypto } from './sha256.js';
import { hashOf } from './upload-options.js';
import type { UploadOptions } from './upload-options.js';

export interface ResumeOptions extends UploadOptions {
  /** Image of which the file becomes an edited version; of the fields, it takes only `original_name`. */
  readonly image_id?: string;
  /** URL of an upload of the same file that was begun before, to continue it. */
  readonly url?: string;
  /** Called once the upload has a URL, so that it can be kept, and as bytes have arrived for good. */
  readonly onProgress?: (progress: ResumeProgress) => void;
}

export interface ResumeProgress {
  readonly url: string;
  /** Bytes that the server has, whatever breaks. */
  readonly arrived: number;
  /** Bytes of the file. */
  readonly size: number;
}

/** Bytes per request: at first, at most (what a server saves at a time), and at least. */
const firstSlice = 4 * 1024 * 1024;
const maxSlice = 8 * 1024 * 1024;
const minSlice = 256 * 1024;
/** Times of a request, in milliseconds, after which the next one is longer, or shorter. */
const quickMs = 5_000;
const slowMs = 20_000;
/** Times that an upload is begun, if each ended before it was complete. */
const maxBeginnings = 5;

const version = { 'Tus-Resumable': '1.0.0' };
const bytesType = { 'Content-Type': 'application/offset+octet-stream' };
const uploadPath = '/api/v1/users/{user_id}/uploads/{upload_id}';

/**
 * Sends a file by tus 1.0.0, from where it broke off whenever the connection breaks. tus-js-client would
 * bring seven packages, and neither heeds `Retry-After` nor ends a request that hangs.
 * @throws ImgstoreError, UnansweredError, and the reason of the signal.
 */
export async function resume(
  connection: Connection,
  user_id: string,
  file: Blob,
  options: ResumeOptions = {},
): Promise<Image> {
  const image_id = await new ResumableFile(connection, user_id, file, options).send();
  // As the form does, with the versions if this is one.
  const query = options.image_id === undefined ? {} : ({ with_history: 'True' } as const);
  const params = { path: { user_id, image_id }, query };
  return connection.result({
    send: (until) =>
      connection.client.GET('/api/v1/users/{user_id}/images/{image_id}', { params, signal: until }),
    signal: options.signal,
  });
}

/** What the server has of a file. */
interface Arrived {
  readonly offset: number;
  readonly imageId: string | undefined;
}

/** @returns undefined if the response is not from imgstore. */
function arrivedOf(headers: Headers): Arrived | undefined {
  const offset = headers.get('Upload-Offset');
  const imageId = headers.get('Upload-Image-Id') ?? undefined;
  return offset === null ? undefined : { offset: Number(offset), imageId };
}

/** The id in the URL of an upload. @throws TypeError. */
function idIn(url: string): string {
  const [, id] = /\/uploads\/([^/?#]+)$/.exec(url) ?? [];
  if (id !== undefined) return decodeURIComponent(id);
  throw new TypeError(`"url" must be the URL of an upload, which onProgress reports, not ${url}`);
}

const shorter = (slice: number): number => Math.max(minSlice, slice / 2);
const longer = (slice: number): number => Math.min(maxSlice, slice * 2);

/** A file on its way. */
class ResumableFile {
  #url: string | undefined;
  #arrived: Arrived = { offset: 0, imageId: undefined };
  /** Whether that is all, since the last request was answered. */
  #isSure = false;
  /** Bytes of the next request: over slow and bad lines, fewer, so that progress shows and lasts. */
  #slice = firstSlice;
  #beginnings = 0;
  #key: string | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly user_id: string,
    private readonly file: Blob,
    private readonly options: ResumeOptions,
  ) {
    this.#url = options.url;
    this.#key = options.key;
  }

  /** @returns the id of the image. */
  async send(): Promise<string> {
    for (;;) {
      try {
        if (this.#url === undefined) await this.#begin();
        else if (this.#beginnings === 0) await this.#find(idIn(this.#url));
        while (this.#arrived.imageId === undefined) await this.#advance();
        return this.#arrived.imageId;
      } catch (error) {
        if (!this.#isGone(error) || this.#beginnings >= maxBeginnings) throw error;
        this.#url = undefined;
      }
    }
  }

  /** Whether the server does not know the upload, or no longer. */
  #isGone(error: unknown): boolean {
    if (!(error instanceof ImgstoreError)) return false;
    return error.status === 410 || (error.status === 404 && this.#url !== undefined);
  }

  /** Begins an upload, or finds the one that was begun with the same key. */
  async #begin(): Promise<void> {
    const { connection, user_id, file, options } = this;
    const { fields, image_id, hash, signal } = options;
    const key = (this.#key ??= secureCrypto().randomUUID());
    this.#beginnings += 1;
    const header = {
      ...version,
      'Upload-Length': String(file.size),
      'Upload-Metadata': metadataOf({
        image_hash: await hashOf(file, hash),
        filename: file instanceof File ? file.name : undefined,
        image_id,
        ...fields,
      }),
      // An upload that ended keeps its key. The next one's is the same in every run of the app.
      'Idempotency-Key': this.#beginnings === 1 ? key : `${key}:${this.#beginnings}`,
    };
    const how = { params: { path: { user_id }, header } };
    const found = await connection.headers({
      send: (until) =>
        connection.client.POST('/api/v1/users/{user_id}/uploads', { ...how, signal: until }),
      take: (headers) => {
        const [arrived, url] = [arrivedOf(headers), headers.get('Location')];
        const isNew = headers.get('Idempotency-Replayed') !== 'true';
        return arrived && url !== null ? { arrived, url, isNew } : undefined;
      },
      key,
      signal,
    });
    this.#url = found.url;
    this.#note(found.arrived);
    // Another run of the app may still be sending to the same one.
    this.#isSure = found.isNew;
  }

  /** Finds the upload that the app kept. @throws RangeError if it is of another file. */
  async #find(id: string): Promise<void> {
    const { file, options } = this;
    const { arrived, length } = await this.connection.headers({
      send: (until) => this.#ask(id, until),
      take: (headers) => {
        const found = arrivedOf(headers);
        return found && { arrived: found, length: Number(headers.get('Upload-Length')) };
      },
      signal: options.signal,
    });
    if (length !== file.size) {
      throw new RangeError(
        `"url" is that of an upload of ${length} bytes, but the file has ${file.size}; omit "url" to begin anew`,
      );
    }
    this.#note(arrived);
  }

  /** Sends the next bytes. @returns when more of them have arrived than before. */
  async #advance(): Promise<void> {
    const { offset } = this.#arrived;
    const id = idIn(this.#url as string);
    const arrived = await this.connection.headers({
      send: async (until) => {
        if (!this.#isSure) {
          const answer = await this.#ask(id, until);
          const found = arrivedOf(answer.response.headers);
          // Attempts are counted anew if an earlier one brought something.
          if (found?.offset !== offset || found.imageId !== undefined) return answer;
        }
        this.#isSure = false;
        const [slice, began] = [this.#slice, performance.now()];
        this.#slice = shorter(slice); // unless it is answered in time
        const answer = await this.#patch(id, offset, slice, until);
        const ms = performance.now() - began;
        if (answer.response.ok && ms < slowMs) this.#slice = ms < quickMs ? longer(slice) : slice;
        return answer;
      },
      take: arrivedOf,
      timeoutMs: timeoutOf(Math.min(this.#slice, this.file.size - offset)),
      key: this.#key,
      signal: this.options.signal,
    });
    this.#note(arrived);
  }

  #note(arrived: Arrived): void {
    this.#arrived = arrived;
    this.#isSure = true;
    const progress = { url: this.#url as string, arrived: arrived.offset, size: this.file.size };
    this.options.onProgress?.(progress);
  }

  async #ask(upload_id: string, signal: AbortSignal): Promise<Answer<unknown>> {
    const { client } = this.connection;
    const path = { user_id: this.user_id, upload_id };
    const answer = await client.HEAD(uploadPath, { params: { path, header: version }, signal });
    // Only the answer to GET has the code of an error.
    const isRejected = [401, 403].includes(answer.response.status);
    return isRejected ? client.GET(uploadPath, { params: { path }, signal }) : answer;
  }

  #patch(upload_id: string, offset: number, bytes: number, signal: AbortSignal) {
    const path = { user_id: this.user_id, upload_id };
    return this.connection.client.PATCH(uploadPath, {
      params: { path, header: { ...version, 'Upload-Offset': String(offset) } },
      headers: bytesType,
      body: this.file.slice(offset, offset + bytes),
      bodySerializer: (slice) => slice,
      signal,
    });
  }
}
