import { createHmac, timingSafeEqual } from 'node:crypto';
import { contentTypeOf } from './content-type.js';
import { maxKeyLength } from './key-format.js';
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
 * Which 28 characters of a digest sign an object: 168 bits each, so that whoever has the signature
 * of one object of a version knows nothing about the others' (docs/adr/0022).
 */
const signatureLength = 28;
const earlierSignatureLength = 43;
const places = new Map<string, number>([
  ['original', 0],
  ['display', 1],
  ['thumb', 2],
]);

export interface SignedUrlOptions extends SigningWindowOptions {
  /** Key material of at least 32 bytes. */
  readonly secret: Buffer;
}

/** Of one version, by extension. */
type Digests = Map<string, string>;

export type Verification =
  | { readonly state: 'ok'; readonly secondsLeft: number }
  | { readonly state: 'expired' }
  | { readonly state: 'tampered' };

/** Signs and verifies the URLs of objects that the API itself serves. */
export class SignedUrls {
  readonly #secret: Buffer;
  readonly #hmac: OneShotHmac;
  readonly #window: SigningWindow;
  readonly #now: () => number;
  /** By folder of a version: its digests by extension. */
  readonly #remembered = new Map<string, Digests>();
  /** Of the window that is remembered: its start, and the expiry of its URLs. */
  #start = NaN;
  #expiry = '';
  /** Of the URL signed last; the next one is often of the same version. */
  #folder = '';
  #digests: Digests = new Map();

  constructor({ secret, ttlSeconds, now = Date.now }: SignedUrlOptions) {
    if (secret.length < 32) throw new RangeError('the secret must have at least 32 bytes');
    this.#secret = secret;
    this.#hmac = new OneShotHmac(secret);
    this.#window = new SigningWindow({ ttlSeconds, now });
    this.#now = now;
  }

  /** @returns a path with query; the same one for the same key until the window (ttl / 4) ends. */
  sign(key: string): string {
    const start = this.#window.start();
    if (start !== this.#start) this.#begin(start);
    return `${filesPrefix}${key}?exp=${this.#expiry}&sig=${this.#rememberedSignature(key)}`;
  }

  /** @param query the parsed query of the request: untrusted; repeated parameters are arrays. */
  verify(key: string, query: { readonly exp?: unknown; readonly sig?: unknown }): Verification {
    const { exp, sig } = query;
    if (typeof exp !== 'string' || typeof sig !== 'string') return { state: 'tampered' };
    if (key.length > maxKeyLength || exp.length > maxExpiryLength) return { state: 'tampered' };
    // Compared as text: several texts decode to the same bytes, but only one of them was issued.
    const claimed = Buffer.from(sig);
    const earlier = sig.length === earlierSignatureLength;
    const expected = Buffer.from(
      earlier ? this.#earlierSignature(key, exp) : this.#signature(key, exp),
    );
    if (claimed.length !== expected.length || !timingSafeEqual(claimed, expected)) {
      return { state: 'tampered' };
    }
    const secondsLeft = Math.floor(Number(exp) - this.#now() / secondMs);
    return secondsLeft > 0 ? { state: 'ok', secondsLeft } : { state: 'expired' };
  }

  /** As releases before 0.2 signed: URLs of before an upgrade stay valid until they expire. */
  #earlierSignature(key: string, expiry: string): string {
    return createHmac('sha256', this.#secret)
      .update(`${key}\n${expiry}\n${contentTypeOf(key)}`)
      .digest('base64url');
  }

  #signature(key: string, expiry: string): string {
    const folder = key.slice(0, key.lastIndexOf('/') + 1);
    const { place, extension } = partsOf(key, folder);
    return place === undefined
      ? signatureAt(0, this.#digest(`object\n${key}`, extension, expiry))
      : signatureAt(place, this.#digest(`version\n${folder}`, extension, expiry));
  }

  /** The same as `#signature` for the current window. */
  #rememberedSignature(key: string): string {
    const end = key.lastIndexOf('/') + 1;
    if (end !== this.#folder.length || !key.startsWith(this.#folder)) this.#open(key.slice(0, end));
    const { place, extension } = partsOf(key, this.#folder);
    if (place === undefined) return this.#signature(key, this.#expiry);
    let digest = this.#digests.get(extension);
    if (digest === undefined) {
      digest = this.#digest(`version\n${this.#folder}`, extension, this.#expiry);
      this.#digests.set(extension, digest);
    }
    return signatureAt(place, digest);
  }

  #open(folder: string): void {
    let digests = this.#remembered.get(folder);
    // A copy: the folder is a part of a whole page's text, which it would keep along.
    this.#folder = Buffer.from(folder, 'latin1').toString('latin1');
    if (!digests) {
      if (this.#remembered.size >= maxRemembered) this.#remembered.clear();
      this.#remembered.set(this.#folder, (digests = new Map<string, string>()));
    }
    this.#digests = digests;
  }

  #begin(start: number): void {
    this.#start = start;
    this.#expiry = String(start + this.#window.lifetime);
    this.#remembered.clear();
    this.#folder = '';
    this.#digests = new Map();
  }

  /**
   * Covers everything that determines what the holder gets: which object, until when, as which
   * type. The objects of a version that have the same extension share a digest, of which each has a
   * part; any other object has a digest of its own.
   */
  #digest(subject: string, extension: string, expiry: string): string {
    return this.#hmac.digest(
      `${subject}\n${extension}\n${contentTypeOf(`.${extension}`)}\n${expiry}`,
    );
  }
}

/**
 * The part of the digest that is the object's, undefined if it is no object of a version; and its
 * extension.
 */
function partsOf(key: string, folder: string) {
  const dot = key.indexOf('.', folder.length);
  const end = dot < 0 ? key.length : dot;
  return {
    place: dot < 0 ? undefined : places.get(key.slice(folder.length, end)),
    extension: key.slice(end + 1),
  };
}

const signatureAt = (place: number, digest: string): string =>
  digest.slice(place * signatureLength, (place + 1) * signatureLength);
