import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { toHex, type Primitives } from '../../src/feed/custody/notes';

// Not those of the browser, which has none of them for pages that came over http://, and not all browsers know
// Ed25519.

const bytesOf = (part: string | Uint8Array): Uint8Array =>
  typeof part === 'string' ? new TextEncoder().encode(part) : part;

export const primitives: Primitives = {
  sha256: (...parts) => {
    const hash = sha256.create();
    for (const part of parts) hash.update(bytesOf(part));
    return hash.digest();
  },
  isSigned: (text, signature, key) => {
    try {
      return ed25519.verify(signature, bytesOf(text), key, { zip215: false });
    } catch {
      return false; // of another length
    }
  },
};

/** The SHA-256 of a file of any size, in hexadecimal. */
export async function hashOf(file: File): Promise<string> {
  const hash = sha256.create();
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return toHex(hash.digest());
    hash.update(value);
  }
}
