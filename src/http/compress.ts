import type { Transform, Writable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { guarded, ignore } from '../guarded.js';

/** Below this, headers outweigh what is saved. */
const threshold = 1024;

const params = {
  [constants.BROTLI_PARAM_QUALITY]: 1,
  // A window of 256 KB: the default, 4 MB, would be held for each answer that is being sent.
  [constants.BROTLI_PARAM_LGWIN]: 18,
};

/**
 * The cheaper for its client first. Of a page, zlib's own level 6 takes half as long again as level 1
 * and saves a twentieth (docs/adr/0033).
 */
const codings = {
  br: () => createBrotliCompress({ params }),
  gzip: () => createGzip({ level: 1 }),
} as const;

const names = ['br', 'gzip'] as const;

/** Where JSON is written: to the response, or to a compressor before it if the client asks for one. */
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
      request.method === 'HEAD' || request.headers['accept-encoding'] === undefined
        ? undefined
        : names.find((name) => request.acceptsEncodings(name) === name);
  }

  /** Whether the client asks for compressed answers. */
  get compresses(): boolean {
    return this.#coding !== undefined;
  }

  /** To be called before the first byte. @param length of all, if nothing more is to come. */
  open(length?: number): Writable {
    return (this.#destination ??= this.#open(length));
  }

  /** Of an answer that failed: nothing more of it is sent. */
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
    // What it holds is freed as soon as the client is gone.
    response.once('close', abandon);
    const fail = guarded(ignore, () => void response.destroy());
    compressor.on('error', fail);
    response.setHeader('Content-Encoding', this.#coding);
    compressor.pipe(response);
    return (this.#compressor = compressor);
  }
}
