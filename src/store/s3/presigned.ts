import { presignSignatureV4 } from 'minio/dist/esm/signing.mjs';
import { contentTypeOf } from '../object-key.js';
import { SigningWindow, type SigningWindowOptions } from '../signed-url.js';
import type { UrlSigner } from '../port.js';
import { basePathOf, type S3Keys } from './bucket.js';
import { secondMs } from '../../base/units.js';

/**
 * URLs remembered within a time window; presigning takes several times as long as our own signing.
 */
const maxRemembered = 10_000;

export interface PresignedOptions extends S3Keys, SigningWindowOptions {
  /** Scheme, host, and port under which clients reach the bucket's gateway. */
  readonly endpoint: string;
  readonly bucket: string;
  /** The prefix of all keys. */
  readonly prefix?: string;
  readonly region: string;
}

/**
 * Presigns URLs (SigV4, in the query) that the object store itself serves. The response's content
 * type, disposition, and caching are covered by the signature.
 */
export class PresignedUrls implements UrlSigner {
  readonly #remembered = new Map<string, string>();
  #rememberedStart = 0;
  readonly #window: SigningWindow;

  constructor(private readonly options: PresignedOptions) {
    this.#window = new SigningWindow(options);
  }

  /** @returns an absolute URL; the same one for the same key until the window (ttl / 4) ends. */
  sign(key: string): string {
    const start = this.#window.start();
    if (start !== this.#rememberedStart || this.#remembered.size >= maxRemembered) {
      this.#remembered.clear();
      this.#rememberedStart = start;
    }
    let url = this.#remembered.get(key);
    if (url === undefined) {
      url = this.#presign(key, new Date(start * secondMs));
      this.#remembered.set(key, url);
    }
    return url;
  }

  signIn(folder: string): (name: string) => string {
    return (name) => this.sign(folder + name);
  }

  /** A URL that counts from `start`, and so is valid until `ttl` after the window's end. */
  #presign(key: string, start: Date): string {
    const {
      endpoint,
      bucket,
      prefix = '',
      region,
      accessKey,
      secretKey,
      ttlSeconds,
    } = this.options;
    const { protocol, host } = new URL(endpoint);
    const answer = new URLSearchParams({
      'response-cache-control': `private, max-age=${ttlSeconds}, immutable`,
      'response-content-disposition': 'inline',
      'response-content-type': contentTypeOf(key),
    });
    // As S3 requires for signing: a blank is %20.
    const query = answer.toString().replaceAll('+', '%20');
    const path = `${basePathOf(endpoint)}/${bucket}/${prefix}${key}?${query}`;
    const request = { method: 'GET', protocol, path, headers: { host } };
    const { lifetime } = this.#window;
    return presignSignatureV4(request, accessKey, secretKey, undefined, region, start, lifetime);
  }
}
