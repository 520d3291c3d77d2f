import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { contentTypeOf } from './content-type.js';
import { secondMs } from '../units.js';

/** Path under which the API serves objects; a URL is this, the key, and `?exp=…&sig=…`. */
export const filesPrefix = '/files/';

/**
 * URLs remembered within a time window, about 5 MB of them. A page of 60 images has 180: signing
 * them takes 1 to 1.5 ms, as long as the page's SQL; remembering takes less than 0.1 ms.
 */
const maxRemembered = 10_000;

export interface SignedUrlOptions {
  /** Key material of at least 32 bytes. */
  readonly secret: Buffer;
  /** Minimum lifetime of a URL in seconds; the maximum is a quarter longer. */
  readonly ttlSeconds: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export type Verification =
  | { readonly state: 'ok'; readonly secondsLeft: number }
  | { readonly state: 'expired' }
  | { readonly state: 'tampered' };

/** Signs and verifies the URLs of objects that the API itself serves. */
export class SignedUrls {
  readonly #secret: KeyObject;
  readonly #ttl: number;
  readonly #window: number;
  readonly #now: () => number;
  readonly #remembered = new Map<string, string>();
  #rememberedExpiry = 0;

  constructor({ secret, ttlSeconds, now = Date.now }: SignedUrlOptions) {
    if (secret.length < 32) throw new RangeError('the secret must have at least 32 bytes');
    this.#secret = createSecretKey(secret);
    this.#ttl = Math.ceil(ttlSeconds);
    this.#window = Math.max(1, Math.floor(this.#ttl / 4));
    this.#now = now;
  }

  /** @returns a path with query; the same one for the same key until the window (ttl / 4) ends. */
  sign(key: string): string {
    const windowsGone = Math.floor(this.#now() / secondMs / this.#window);
    const expiry = (windowsGone + 1) * this.#window + this.#ttl;
    if (expiry !== this.#rememberedExpiry || this.#remembered.size >= maxRemembered) {
      this.#remembered.clear();
      this.#rememberedExpiry = expiry;
    }
    let address = this.#remembered.get(key);
    if (address === undefined) {
      address = `${filesPrefix}${key}?exp=${expiry}&sig=${this.#mac(key, String(expiry))}`;
      this.#remembered.set(key, address);
    }
    return address;
  }

  /** @param query the parsed query of the request: untrusted; repeated parameters are arrays. */
  verify(key: string, query: { readonly exp?: unknown; readonly sig?: unknown }): Verification {
    const { exp, sig } = query;
    if (typeof exp !== 'string' || typeof sig !== 'string') return { state: 'tampered' };
    // Compared as text: several texts decode to the same bytes, but only one of them was issued.
    const claimed = Buffer.from(sig);
    const expected = Buffer.from(this.#mac(key, exp));
    if (claimed.length !== expected.length || !timingSafeEqual(claimed, expected)) {
      return { state: 'tampered' };
    }
    const secondsLeft = Math.floor(Number(exp) - this.#now() / secondMs);
    return secondsLeft > 0 ? { state: 'ok', secondsLeft } : { state: 'expired' };
  }

  /**
   * Covers everything that determines what the holder gets: which object, until when, as which
   * type.
   */
  #mac(key: string, expiry: string): string {
    return createHmac('sha256', this.#secret)
      .update(`${key}\n${expiry}\n${contentTypeOf(key)}`)
      .digest('base64url');
  }
}
