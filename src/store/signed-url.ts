import { timingSafeEqual } from 'node:crypto';
import { contentTypeOf } from './content-type.js';
import { maxKeyLength } from './key-format.js';
import { OneShotHmac } from './one-shot-hmac.js';
import { secondMs } from '../units.js';

/** Path under which the API serves objects; a URL is this, the key, and `?exp=…&sig=…`. */
export const filesPrefix = '/files/';

/** Digits of an expiry, in seconds since 1970. */
const maxExpiryLength = 15;

/** Versions whose signatures are remembered within a time window, about 2 MB of them. */
const maxRemembered = 4_000;

/**
 * Which 28 characters of a digest sign an object: 168 bits each, so that whoever has the signature
 * of one object of a version knows nothing about the others' (docs/adr/0022).
 */
const signatureLength = 28;
const places = new Map<string, number>([
  ['original', 0],
  ['display', 1],
  ['thumb', 2],
]);

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
  readonly #hmac: OneShotHmac;
  readonly #ttl: number;
  readonly #window: number;
  readonly #now: () => number;
  /** By folder of a version: its digests by extension. */
  readonly #remembered = new Map<string, Map<string, string>>();
  #rememberedExpiry = 0;

  constructor({ secret, ttlSeconds, now = Date.now }: SignedUrlOptions) {
    if (secret.length < 32) throw new RangeError('the secret must have at least 32 bytes');
    this.#hmac = new OneShotHmac(secret);
    this.#ttl = Math.ceil(ttlSeconds);
    this.#window = Math.max(1, Math.floor(this.#ttl / 4));
    this.#now = now;
  }

  /** @returns a path with query; the same one for the same key until the window (ttl / 4) ends. */
  sign(key: string): string {
    const windowsGone = Math.floor(this.#now() / secondMs / this.#window);
    const expiry = (windowsGone + 1) * this.#window + this.#ttl;
    if (expiry !== this.#rememberedExpiry) {
      this.#remembered.clear();
      this.#rememberedExpiry = expiry;
    }
    return `${filesPrefix}${key}?exp=${expiry}&sig=${this.#rememberedSignature(partsOf(key))}`;
  }

  /** @param query the parsed query of the request: untrusted; repeated parameters are arrays. */
  verify(key: string, query: { readonly exp?: unknown; readonly sig?: unknown }): Verification {
    const { exp, sig } = query;
    if (typeof exp !== 'string' || typeof sig !== 'string') return { state: 'tampered' };
    if (key.length > maxKeyLength || exp.length > maxExpiryLength) return { state: 'tampered' };
    // Compared as text: several texts decode to the same bytes, but only one of them was issued.
    const claimed = Buffer.from(sig);
    const expected = Buffer.from(this.#signature(partsOf(key), exp));
    if (claimed.length !== expected.length || !timingSafeEqual(claimed, expected)) {
      return { state: 'tampered' };
    }
    const secondsLeft = Math.floor(Number(exp) - this.#now() / secondMs);
    return secondsLeft > 0 ? { state: 'ok', secondsLeft } : { state: 'expired' };
  }

  #rememberedSignature(parts: KeyParts): string {
    const { folder, extension, place } = parts;
    const expiry = String(this.#rememberedExpiry);
    if (place === undefined) return this.#signature(parts, expiry);
    let digests = this.#remembered.get(folder);
    if (!digests) {
      if (this.#remembered.size >= maxRemembered) this.#remembered.clear();
      // A copy: the text of a whole page, which this is a part of, would be kept along.
      this.#remembered.set(Buffer.from(folder).toString(), (digests = new Map<string, string>()));
    }
    let digest = digests.get(extension);
    if (digest === undefined) {
      digest = this.#digest(parts, expiry);
      digests.set(extension, digest);
    }
    return signatureAt(place, digest);
  }

  #signature(parts: KeyParts, expiry: string): string {
    return signatureAt(parts.place ?? 0, this.#digest(parts, expiry));
  }

  /**
   * Covers everything that determines what the holder gets: which object, until when, as which
   * type. The objects of a version that have the same extension share a digest, of which each has a
   * part; any other object has a digest of its own.
   */
  #digest({ key, folder, extension, place }: KeyParts, expiry: string): string {
    const subject = place === undefined ? `object\n${key}` : `version\n${folder}\n${extension}`;
    return this.#hmac.digest(`${subject}\n${contentTypeOf(`.${extension}`)}\n${expiry}`);
  }
}

interface KeyParts {
  readonly key: string;
  /** Up to the last slash. */
  readonly folder: string;
  readonly extension: string;
  /** Which part of the digest is the object's; undefined if it is no object of a version. */
  readonly place: number | undefined;
}

function partsOf(key: string): KeyParts {
  const begin = key.lastIndexOf('/') + 1;
  const dot = key.indexOf('.', begin);
  const end = dot < 0 ? key.length : dot;
  return {
    key,
    folder: key.slice(0, begin),
    extension: key.slice(end + 1),
    place: dot < 0 ? undefined : places.get(key.slice(begin, end)),
  };
}

const signatureAt = (place: number, digest: string): string =>
  digest.slice(place * signatureLength, (place + 1) * signatureLength);
