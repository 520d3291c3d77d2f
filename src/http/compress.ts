import type { Transform, Writable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { guarded, ignore } from '../base/guarded.js';
import { acceptedCoding } from './accept.js';

/** Below this size, compression saves less than its headers cost. */
const threshold = 1024;

const params = {
  [constants.BROTLI_PARAM_QUALITY]: 1,
  // A window of 256 KB: the default of 4 MB would be allocated for each response in progress.
  [constants.BROTLI_PARAM_LGWIN]: 18,
};

/**
 * For a page of records,
 * zlib's default level 6 takes half as long again as level 1 and saves another 5%.
 */
const codings = {
  br: () => createBrotliCompress({ params }),
  gzip: () => createGzip({ level: 1 }),
} as const;

/**
 * The destination of JSON: the response, or a compressor in front of it if the client accepts one.
 */
export class JsonOutlet {
  readonly #coding: keyof typeof codings | undefined;
  #compressor: Transform | undefined;
  #destination: Writable | undefined;

  constructor(
    request: Request,
    private readonly response: Response,
  ) {
    response.vary('Accept-Encoding');
    this.#coding =
      request.method === 'HEAD'
        ? undefined
        : acceptedCoding(request.headers['accept-encoding'], ['br', 'gzip']);
  }

  /** Whether the client accepts compressed responses. */
  get compresses(): boolean {
    return this.#coding !== undefined;
  }

  /** Must be called before the first byte. @param length of the whole body, if known. */
  open(length?: number): Writable {
    return (this.#destination ??= this.#open(length));
  }

  /** Stops sending a response that failed. */
  abandon(): void {
    if (!this.#compressor) return;
    this.#compressor.unpipe(this.response);
    this.#compressor.destroy();
    if (!this.response.headersSent) this.response.removeHeader('Content-Encoding');
  }

  #open(length: number | undefined): Writable {
    const { response } = this;
    if (this.#coding === undefined || (length !== undefined && length < threshold)) {
      if (length !== undefined) response.setHeader('Content-Length', length);
      return response;
    }
    const compressor = codings[this.#coding]();
    const abandon = guarded(ignore, () => this.abandon());
    // Frees the compressor's memory as soon as the client disconnects.
    response.once('close', abandon);
    const fail = guarded(ignore, () => void response.destroy());
    compressor.on('error', fail);
    response.setHeader('Content-Encoding', this.#coding);
    compressor.pipe(response);
    return (this.#compressor = compressor);
  }
}
