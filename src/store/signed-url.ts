import { createHmac, timingSafeEqual, hash } from 'node:crypto';
import { secondMs } from '../base/units.js';
import { contentTypeOf, maxKeyLength, maxNameLength, percentEncoded } from './object-key.js';
import type { SignObject, UrlSigner } from './port.js';

export interface SigningWindowOptions {
  /** Minimum lifetime of a URL in seconds; the maximum is a quarter longer. */
  readonly ttlSeconds: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * The interval, a quarter of the minimum lifetime, in which the signed URL of an object stays the
 * same, so that clients can cache it. Lifetimes count from its start.
 */
export class SigningWindow {
  readonly #length: number;
  readonly #now: () => number;
  /** Seconds from a window's start until its URLs expire. */
  readonly lifetime: number;

  constructor({ ttlSeconds, now = Date.now }: SigningWindowOptions) {
    const ttl = Math.ceil(ttlSeconds);
    this.#length = Math.max(1, Math.floor(ttl / 4));
    this.#now = now;
    this.lifetime = this.#length + ttl;
  }

  /** Start of the current window, in seconds since 1970. */
  start(): number {
    return Math.floor(this.#now() / secondMs / this.#length) * this.#length;
  }
}

/** Block size of SHA-512 in bytes. */
const blockBytes = 128;
const digestBytes = 64;

/** Longest message in bytes. */
const maxMessage = 8 * 1024;
/** Maximum bytes of UTF-8 per character of a JavaScript string. */
const bytesPerCharacter = 3;

/**
 * HMAC-SHA-512 (RFC 2104) of text, in base64url. The same as `createHmac`, whose setup takes
 * several times as long as hashing so little: a page of images has more than a hundred messages.
 */
export class OneShotHmac {
  readonly #inner = Buffer.alloc(blockBytes + maxMessage);
  readonly #outer = Buffer.alloc(blockBytes + digestBytes);
  /** The beginnings of `#inner`: making one takes half as long as hashing it. */
  readonly #upTo: Buffer[] = [];

  /** @param secret up to 128 bytes. */
  constructor(secret: Uint8Array) {
    if (secret.length > blockBytes) throw new RangeError('the secret is longer than a block');
    for (let i = 0; i < blockBytes; i += 1) {
      const byte = secret[i] ?? 0;
      this.#inner[i] = byte ^ 0x36;
      this.#outer[i] = byte ^ 0x5c;
    }
  }

  /** @throws RangeError for a message that is too long. */
  digest(message: string): string {
    if (message.length * bytesPerCharacter > maxMessage)
      throw new RangeError('the message is too long');
    const end = blockBytes + this.#inner.write(message, blockBytes);
    const input = (this.#upTo[end] ??= this.#inner.subarray(0, end));
    const inside = hash('sha512', input, 'binary');
    this.#outer.write(inside, blockBytes, 'latin1');
    return hash('sha512', this.#outer, 'base64url');
  }
}

/**
 * Path under which the API serves objects; a URL is this, the key, `?exp=…&sig=…`, and `&name=…` if the
 * object has a name.
 */
export const filesPrefix = '/files/';

/** Digits of an expiry, in seconds since 1970. */
const maxExpiryLength = 15;

/** Versions whose signatures are remembered within a time window, about 2 MB of them. */
const maxRemembered = 4_000;

/**
 * The 28 characters of a digest that sign an object: 168 bits each, so that the signature of one
 * object of a version reveals nothing about those of the others (docs/adr/0005).
 */
const signatureLength = 28;
const earlierSignatureLength = 43;
const positions = new Map<string, number>([
  ['original', 0],
  ['display', 1],
  ['thumb', 2],
]);

interface SignedUrlOptions extends SigningWindowOptions {
  /** Key material of at least 32 bytes. */
  readonly secret: Buffer;
  /**
   * When the URLs of an object ended before they expire, in seconds since 1970: those signed until
   * then are refused, and later ones differ from them.
   */
  readonly endedAt?: (key: string) => number;
}

/**
 * Of one version, by extension; of an object with a name, its signature by both. A list of keys and
 * values, since there are three at most in most versions: a map takes longer to make than to ask.
 */
type Digests = string[];

/** A remembered digest. */
function digestIn(digests: Digests, key: string): string | undefined {
  for (let at = 0; at < digests.length; at += 2) {
    if (digests[at] === key) return digests[at + 1];
  }
  return undefined;
}

interface Window {
  /** When its URLs expire. */
  readonly expiry: string;
  /** Of the folder in question. */
  readonly digests: Digests;
}

type SignatureState =
  | {
      readonly state: 'ok';
      readonly secondsLeft: number;
      /** Start of the window in which it was signed, in seconds since 1970. */
      readonly signedAt: number;
      /** Under which clients should save the object. */
      readonly name?: string;
    }
  | { readonly state: 'expired' }
  /** Its owner was suspended or revoked. */
  | { readonly state: 'ended' }
  | { readonly state: 'tampered' };

/** Signs and verifies the URLs of objects that the API itself serves. */
export class SignedUrls implements UrlSigner {
  readonly #secret: Buffer;
  readonly #hmac: OneShotHmac;
  readonly #window: SigningWindow;
  readonly #now: () => number;
  readonly #endedAt: (key: string) => number;
  /** By folder of a version: its digests by extension. */
  readonly #remembered = new Map<string, Digests>();
  /** Of the window that is remembered: its start, and the expiry of its URLs. */
  #start = NaN;
  #expiry = '';

  constructor({ secret, ttlSeconds, now = Date.now, endedAt = () => -Infinity }: SignedUrlOptions) {
    if (secret.length < 32) throw new RangeError('the secret must have at least 32 bytes');
    this.#secret = secret;
    this.#hmac = new OneShotHmac(secret);
    this.#window = new SigningWindow({ ttlSeconds, now });
    this.#now = now;
    this.#endedAt = endedAt;
  }

  /** @returns a path with query; the same one for the same key until the window (ttl / 4) ends. */
  sign(key: string, name?: string): string {
    const end = key.lastIndexOf('/') + 1;
    return this.signIn(key.slice(0, end), '')(key.slice(end), name);
  }

  /** The same, but another one than before `ended`, in seconds since 1970. */
  signAfter(ended: number, key: string, name?: string): string {
    const expiry = String(Math.max(this.#window.start(), ended + 1) + this.#window.lifetime);
    const signature = this.#signature(key, expiry, name);
    return `${filesPrefix}${key}?exp=${expiry}&sig=${signature}${nameQuery(name)}`;
  }

  /** As in `ObjectStore`. */
  signIn(folder: string, base: string): SignObject {
    const start = this.#window.start();
    const ended = this.#endedAt(folder);
    if (ended >= start) {
      return (object, name) => base + this.signAfter(ended, folder + object, name);
    }
    if (start !== this.#start) this.#begin(start);
    const window = { expiry: this.#expiry, digests: this.#digestsIn(folder) };
    const prefix = `${base}${filesPrefix}${folder}`;
    return (object, name) => {
      const signature = this.#signatureIn(window, folder, object, name);
      return `${prefix}${object}?exp=${window.expiry}&sig=${signature}${nameQuery(name)}`;
    };
  }

  /** @param query the parsed query of the request: untrusted; repeated parameters are arrays. */
  verify(key: string, query: SignedQuery): SignatureState {
    const { exp, sig, name } = query;
    if (typeof exp !== 'string' || typeof sig !== 'string') return { state: 'tampered' };
    if (key.length > maxKeyLength || exp.length > maxExpiryLength) return { state: 'tampered' };
    if (name !== undefined && (typeof name !== 'string' || name.length > maxNameLength)) {
      return { state: 'tampered' };
    }
    // Compared as text: several texts decode to the same bytes, but only one of them was issued.
    const claimed = Buffer.from(sig);
    const earlier = sig.length === earlierSignatureLength && name === undefined;
    const expected = Buffer.from(
      earlier ? this.#earlierSignature(key, exp) : this.#signature(key, exp, name),
    );
    if (claimed.length !== expected.length || !timingSafeEqual(claimed, expected)) {
      return { state: 'tampered' };
    }
    const secondsLeft = Math.floor(Number(exp) - this.#now() / secondMs);
    if (secondsLeft <= 0) return { state: 'expired' };
    const signedAt = Number(exp) - this.#window.lifetime;
    if (signedAt <= this.#endedAt(key)) return { state: 'ended' };
    return { state: 'ok', secondsLeft, signedAt, ...(name !== undefined && { name }) };
  }

  /** As signed by releases before 0.2: URLs from before an upgrade stay valid until they expire. */
  #earlierSignature(key: string, expiry: string): string {
    return createHmac('sha256', this.#secret)
      .update(`${key}\n${expiry}\n${contentTypeOf(key)}`)
      .digest('base64url');
  }

  #signature(key: string, expiry: string, name?: string): string {
    const end = key.lastIndexOf('/') + 1;
    const folder = key.slice(0, end);
    const { position, extension } = partsOf(key.slice(end));
    // What was signed in the current window is remembered.
    const digests = expiry === this.#expiry ? this.#remembered.get(folder) : undefined;
    const known = digests && digestIn(digests, extension);
    if (known !== undefined && position !== undefined && name === undefined) {
      return signatureAt(position, known);
    }
    // Names that are signed contain no line break, so that only one reading of the message is possible.
    if (name !== undefined) {
      return signatureAt(0, this.#digest(`named\n${key}\n${name}`, extension, expiry));
    }
    return position === undefined
      ? signatureAt(0, this.#digest(`object\n${key}`, extension, expiry))
      : signatureAt(position, this.#digest(`version\n${folder}`, extension, expiry));
  }

  /** The same as `#signature` in a window. */
  #signatureIn(
    { expiry, digests }: Window,
    folder: string,
    object: string,
    name: string | undefined,
  ): string {
    if (name !== undefined) {
      const known = `${object}\n${name}`;
      const earlier = digestIn(digests, known);
      if (earlier !== undefined) return earlier;
      const signature = this.#signature(folder + object, expiry, name);
      digests.push(known, signature);
      return signature;
    }
    const { position, extension } = partsOf(object);
    if (position === undefined) return this.#signature(folder + object, expiry);
    let digest = digestIn(digests, extension);
    if (digest === undefined) {
      digest = this.#digest(`version\n${folder}`, extension, expiry);
      digests.push(extension, digest);
    }
    return signatureAt(position, digest);
  }

  #digestsIn(folder: string): Digests {
    let digests = this.#remembered.get(folder);
    if (!digests) {
      if (this.#remembered.size >= maxRemembered) this.#remembered.clear();
      // A copy: the folder may be a substring of the text of a whole page, which it would keep in
      // memory.
      const copy = Buffer.from(folder, 'latin1').toString('latin1');
      this.#remembered.set(copy, (digests = []));
    }
    return digests;
  }

  #begin(start: number): void {
    this.#start = start;
    this.#expiry = String(start + this.#window.lifetime);
    this.#remembered.clear();
  }

  /**
   * Covers everything that determines the response: the object, the expiry, and the type. Objects
   * of a version with the same extension share a digest, of which each uses a part; any other
   * object has its own digest.
   */
  #digest(subject: string, extension: string, expiry: string): string {
    return this.#hmac.digest(
      `${subject}\n${extension}\n${contentTypeOf(`.${extension}`)}\n${expiry}`,
    );
  }
}

/** The parsed query of a request. */
interface SignedQuery {
  readonly exp?: unknown;
  readonly sig?: unknown;
  readonly name?: unknown;
}

const nameQuery = (name: string | undefined): string =>
  name === undefined ? '' : `&name=${percentEncoded(name)}`;

interface Parts {
  /** The object's part of the digest; undefined if it is not an object of a version. */
  readonly position: number | undefined;
  readonly extension: string;
}

/** Parses the part of a key after its folder. */
function partsOf(name: string): Parts {
  const dot = name.indexOf('.');
  const end = dot < 0 ? name.length : dot;
  return {
    position: dot < 0 ? undefined : positions.get(name.slice(0, end)),
    extension: name.slice(end + 1),
  };
}

const signatureAt = (position: number, digest: string): string =>
  digest.slice(position * signatureLength, (position + 1) * signatureLength);
