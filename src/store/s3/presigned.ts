import { presignSignatureV4 } from 'minio/dist/esm/signing.mjs';
import { contentTypeOf, dispositionOf, percentEncoded } from '../object-key.js';
import { SigningWindow, type SigningWindowOptions } from '../signed-url.js';
import type { SignObject, UrlSigner } from '../port.js';
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
  sign(key: string, name?: string): string {
    const start = this.#window.start();
    if (start !== this.#rememberedStart || this.#remembered.size >= maxRemembered) {
      this.#remembered.clear();
      this.#rememberedStart = start;
    }
    const known = name === undefined ? key : `${key}\n${name}`;
    let url = this.#remembered.get(known);
    if (url === undefined) {
      url = this.#presign(key, name, new Date(start * secondMs));
      this.#remembered.set(known, url);
    }
    return url;
  }

  signIn(folder: string): SignObject {
    return (object, name) => this.sign(folder + object, name);
  }

  /** A URL that counts from `start`, and so is valid until `ttl` after the window's end. */
  #presign(key: string, name: string | undefined, start: Date): string {
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
    const answer = {
      'response-cache-control': `private, max-age=${ttlSeconds}, immutable`,
      'response-content-disposition': name === undefined ? 'inline' : dispositionOf(key, name),
      'response-content-type': contentTypeOf(key),
    };
    // As S3 requires for signing.
    const query = Object.entries(answer)
      .map(([parameter, value]) => `${parameter}=${percentEncoded(value)}`)
      .join('&');
    const path = `${basePathOf(endpoint)}/${bucket}/${prefix}${key}?${query}`;
    const request = { method: 'GET', protocol, path, headers: { host } };
    const { lifetime } = this.#window;
    return presignSignatureV4(request, accessKey, secretKey, undefined, region, start, lifetime);
  }
}
