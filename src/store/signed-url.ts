import { createHmac, timingSafeEqual } from 'node:crypto';
import { contentTypeOf } from './content-type.js';
import { maxKeyLength } from './key-format.js';
import type { UrlSigner } from './port.js';
import { OneShotHmac } from './one-shot-hmac.js';
import { SigningWindow } from './signing-window.js';
import type { SigningWindowOptions } from './signing-window.js';
import { secondMs } from '../units.js';

/** Path under which the API serves objects; a URL is this, the key, and `?exp=…&sig=…`. */
export const filesPrefix = '/files/';

/** Digits of an expiry, in seconds since 1970. */
const maxExpiryLength = 15;

/** Versions whose signatures are remembered within a time window, about 2 MB of them. */
const maxRemembered = 4_000;

/**
 * The 27 characters of a digest that sign an object: 162 bits each, so that the signature of one
 * object of a version reveals nothing about those of the others (docs/adr/0022).
 */
const signatureLength = 27;
/** Of the releases before 0.2, and of 0.2.0. */
const earlierLengths = { object: 43, extension: 28 } as const;
const positions = new Map<string, number>([
  ['original', 0],
  ['display', 1],
  ['thumb', 2],
]);

export interface SignedUrlOptions extends SigningWindowOptions {
  /** Key material of at least 32 bytes. */
  readonly secret: Buffer;
}

export type Verification =
  | { readonly state: 'ok'; readonly secondsLeft: number }
  | { readonly state: 'expired' }
  | { readonly state: 'tampered' };

/** Signs and verifies the URLs of objects that the API itself serves. */
export class SignedUrls implements UrlSigner {
  readonly #secret: Buffer;
  readonly #hmac: OneShotHmac;
  readonly #window: SigningWindow;
  readonly #now: () => number;
  /** Digests by the folders of versions. */
  readonly #remembered = new Map<string, string>();
  /** Of the window that is remembered: its start, and the expiry of its URLs. */
  #start = NaN;
  #expiry = '';

  constructor({ secret, ttlSeconds, now = Date.now }: SignedUrlOptions) {
    if (secret.length < 32) throw new RangeError('the secret must have at least 32 bytes');
    this.#secret = secret;
    this.#hmac = new OneShotHmac(secret);
    this.#window = new SigningWindow({ ttlSeconds, now });
    this.#now = now;
  }

  /** @returns a path with query; the same one for the same key until the window (ttl / 4) ends. */
  sign(key: string): string {
    const { folder, name } = partsOf(key);
    return this.signIn(folder, '')(name);
  }

  /** As in `ObjectStore`. */
  signIn(folder: string, base: string): (name: string) => string {
    const start = this.#window.start();
    if (start !== this.#start) this.#begin(start);
    const expiry = this.#expiry;
    const digest = this.#digestOf(folder);
    const prefix = `${base}${filesPrefix}${folder}`;
    return (name) => {
      const position = positionOf(name);
      const signature =
        position === undefined
          ? this.#signature(folder + name, expiry)
          : signatureAt(position, digest);
      return `${prefix}${name}?exp=${expiry}&sig=${signature}`;
    };
  }

  /** @param query the parsed query of the request: untrusted; repeated parameters are arrays. */
  verify(key: string, query: { readonly exp?: unknown; readonly sig?: unknown }): Verification {
    const { exp, sig } = query;
    if (typeof exp !== 'string' || typeof sig !== 'string') return { state: 'tampered' };
    if (key.length > maxKeyLength || exp.length > maxExpiryLength) return { state: 'tampered' };
    // Compared as text: several texts decode to the same bytes, but only one of them was issued.
    const claimed = Buffer.from(sig);
    const expected = Buffer.from(this.#expected(key, exp, sig.length));
    if (claimed.length !== expected.length || !timingSafeEqual(claimed, expected)) {
      return { state: 'tampered' };
    }
    const secondsLeft = Math.floor(Number(exp) - this.#now() / secondMs);
    return secondsLeft > 0 ? { state: 'ok', secondsLeft } : { state: 'expired' };
  }

  /** URLs of an earlier release stay valid until they expire; their signatures have other lengths. */
  #expected(key: string, expiry: string, length: number): string {
    if (length === earlierLengths.object) {
      return createHmac('sha256', this.#secret)
        .update(`${key}\n${expiry}\n${contentTypeOf(key)}`)
        .digest('base64url');
    }
    if (length !== earlierLengths.extension) return this.#signature(key, expiry);
    const { folder, name } = partsOf(key);
    const position = positionOf(name);
    const subject = position === undefined ? `object\n${key}` : `version\n${folder}`;
    const extension = name.includes('.') ? name.slice(name.indexOf('.') + 1) : '';
    const type = contentTypeOf(`.${extension}`);
    const digest = this.#hmac.digest(`${subject}\n${extension}\n${type}\n${expiry}`);
    return signatureAt(position ?? 0, digest, length);
  }

  #signature(key: string, expiry: string): string {
    const { folder, name } = partsOf(key);
    const position = positionOf(name);
    return position === undefined
      ? signatureAt(0, this.#hmac.digest(`object\n${key}\n${expiry}`))
      : signatureAt(position, this.#versionDigest(folder, expiry));
  }

  /**
   * Covers everything that determines the response to a request for an object of a version: the
   * folder and the expiry. The object uses a part of it. There is only one extension for each, and
   * the content type depends on it. Other objects have their own digest.
   */
  #versionDigest(folder: string, expiry: string): string {
    return this.#hmac.digest(`version\n${folder}\n${expiry}`);
  }

  #digestOf(folder: string): string {
    let digest = this.#remembered.get(folder);
    if (digest === undefined) {
      if (this.#remembered.size >= maxRemembered) this.#remembered.clear();
      digest = this.#versionDigest(folder, this.#expiry);
      // A copy: the folder may be a substring of the text of a whole page, which it would keep in
      // memory.
      this.#remembered.set(Buffer.from(folder, 'latin1').toString('latin1'), digest);
    }
    return digest;
  }

  #begin(start: number): void {
    this.#start = start;
    this.#expiry = String(start + this.#window.lifetime);
    this.#remembered.clear();
  }
}

/** The parts of a key: its folder with the slash at its end, and its name in there. */
function partsOf(key: string): { readonly folder: string; readonly name: string } {
  const end = key.lastIndexOf('/') + 1;
  return { folder: key.slice(0, end), name: key.slice(end) };
}

/** The object's part of the digest of a version; undefined if it is not an object of one. */
function positionOf(name: string): number | undefined {
  const dot = name.indexOf('.');
  return dot < 0 ? undefined : positions.get(name.slice(0, dot));
}

const signatureAt = (position: number, digest: string, length = signatureLength): string =>
  digest.slice(position * length, (position + 1) * length);
