import {
  createHash,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { hashBytes } from './merkle.js';
import { ed25519, keyId, type Primitives } from './notes.js';

// Hashes and signatures of the logs, by Node.js.

export function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

const [leafMark, nodeMark] = [Buffer.of(0), Buffer.of(1)];

export const emptyRoot = sha256();
export const leafHash = (entry: Uint8Array): Buffer => sha256(leafMark, entry);
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer =>
  sha256(nodeMark, left, right);

/** The root over hashes one after the other, whose number is a power of two. */
export function perfectRoot(hashes: Buffer): Buffer {
  if (hashes.length === hashBytes) return hashes;
  const half = hashes.length / 2;
  return nodeHash(perfectRoot(hashes.subarray(0, half)), perfectRoot(hashes.subarray(half)));
}

/** An Ed25519 private key in PKCS#8, up to its 32 bytes. */
const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param seed 32 bytes. */
export const privateKeyOf = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' });

/** The public key of a private one, after its type. */
function typedKeyOf(key: KeyObject): Buffer {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.concat([Buffer.of(ed25519), Buffer.from(x, 'base64url')]);
}

/** The verifier key of a private key, as signed notes write it. */
export function verifierKeyOf(name: string, key: KeyObject): string {
  const typed = typedKeyOf(key);
  const id = Buffer.from(keyId(name, typed, sha256)).toString('hex');
  return `${name}+${id}+${typed.toString('base64')}`;
}

/** @param key a private one. */
export function signNote(text: string, name: string, key: KeyObject): string {
  const signed = sign(null, Buffer.from(text), key);
  const bytes = Buffer.concat([keyId(name, typedKeyOf(key), sha256), signed]);
  return `${text}\n— ${name} ${bytes.toString('base64')}\n`;
}

/** What checks of proofs need. */
export const primitives: Primitives = {
  sha256,
  isSigned: (text, signature, key) => {
    const x = Buffer.from(key).toString('base64url');
    const by = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, Buffer.from(text), by, signature);
  },
};
