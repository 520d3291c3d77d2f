import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'uuid';

const nonceBytes = 12;
const tagBytes = 16;

/** What sealed text is; none passes for another. */
type Purpose = 'archive' | 'cursor' | 'file';

/**
 * What visitors of a link get in place of ids and positions: it means something for that link alone,
 * and says nothing to whoever reads it (docs/adr/0021).
 */
export class VisitSecrets {
  /** @param key of 32 bytes. */
  constructor(private readonly key: Buffer) {}

  /** Stands for an id: another one, the same each time. */
  hideId(linkId: string, id: string): string {
    const cipher = createCipheriv('aes-256-ecb', this.#keyOf('id', linkId), null);
    cipher.setAutoPadding(false); // an id is exactly one block
    return Buffer.concat([cipher.update(parse(id)), cipher.final()]).toString('hex');
  }

  /** @returns undefined for what stands for no id. */
  readId(linkId: string, hidden: string): string | undefined {
    if (!/^[\da-f]{32}$/.test(hidden)) return undefined;
    const cipher = createDecipheriv('aes-256-ecb', this.#keyOf('id', linkId), null);
    cipher.setAutoPadding(false);
    const id = Buffer.concat([cipher.update(Buffer.from(hidden, 'hex')), cipher.final()]);
    try {
      return stringify(id);
    } catch {
      return undefined; // no UUID of any version
    }
  }

  /** The same text is sealed the same each time, so that browsers can cache what it addresses. */
  seal(purpose: Purpose, linkId: string, text: string): string {
    const nonce = this.#mac(`${purpose} nonce`, linkId, text).subarray(0, nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(purpose, linkId), nonce);
    const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** @returns undefined for what was not sealed for this purpose and link. */
  open(purpose: Purpose, linkId: string, sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length <= nonceBytes + tagBytes || bytes.toString('base64url') !== sealed) {
      return undefined;
    }
    const nonce = bytes.subarray(0, nonceBytes);
    const cipher = createDecipheriv('aes-256-gcm', this.#keyOf(purpose, linkId), nonce);
    cipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    try {
      const text = cipher.update(bytes.subarray(nonceBytes + tagBytes));
      return Buffer.concat([text, cipher.final()]).toString();
    } catch {
      return undefined;
    }
  }

  /** Proves that a link's current password was entered; valid until `expiry`. */
  pass(linkId: string, passwordHash: Buffer, expiry: number): string {
    const proof = this.#mac('pass', linkId, `${expiry} ${passwordHash.toString('hex')}`);
    return `${expiry}.${proof.toString('base64url')}`;
  }

  /** @param now in seconds since 1970. */
  isPass(linkId: string, passwordHash: Buffer, pass: string, now: number): boolean {
    const expiry = Number(pass.split('.', 1)[0]);
    if (!Number.isSafeInteger(expiry) || expiry <= now) return false;
    const wanted = Buffer.from(this.pass(linkId, passwordHash, expiry));
    const given = Buffer.from(pass);
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  }

  #mac(purpose: string, linkId: string, text: string): Buffer {
    return createHmac('sha256', this.key).update(`${purpose}\n${linkId}\n${text}`).digest();
  }

  #keyOf(purpose: Purpose | 'id', linkId: string): Buffer {
    return this.#mac(`${purpose} key`, linkId, '');
  }
}
