import { hash } from 'node:crypto';

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
    const inside = hash('sha512', this.#inner.subarray(0, end), 'binary');
    this.#outer.write(inside, blockBytes, 'latin1');
    return hash('sha512', this.#outer, 'base64url');
  }
}
