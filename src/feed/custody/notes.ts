// Checkpoints and their signatures, as anybody reads them, browsers included: c2sp.org/tlog-checkpoint,
// c2sp.org/signed-note.

/** What checks need: from Node.js, or in a browser from a library. */
export interface Primitives {
  readonly sha256: (...parts: readonly (string | Uint8Array)[]) => Uint8Array;
  /** @param key of Ed25519, 32 bytes. */
  readonly isSigned: (text: string, signature: Uint8Array, key: Uint8Array) => boolean;
}

export const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** @returns undefined unless it is written as `toBase64` does. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return toBase64(bytes) === text ? bytes : undefined;
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The type of an Ed25519 key, before its bytes. */
export const ed25519 = 1;

export const keyId = (name: string, typed: Uint8Array, sha256: Primitives['sha256']): Uint8Array =>
  sha256(`${name}\n`, typed).subarray(0, 4);

const verifierKey = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/;
const signature = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u;

/** The text of a note. @returns undefined unless the verifier key's owner signed it. */
export function openNote(
  note: string,
  key: string,
  { sha256, isSigned }: Primitives,
): string | undefined {
  const [, name = '', id = '', encoded = ''] = verifierKey.exec(key) ?? [];
  const typed = fromBase64(encoded);
  if (typed?.[0] !== ed25519 || toHex(keyId(name, typed, sha256)) !== id) return undefined;
  const end = note.lastIndexOf('\n\n') + 1;
  const text = note.slice(0, end);
  for (const line of note.slice(end + 1).split('\n')) {
    const [, signer, base64 = ''] = signature.exec(line) ?? [];
    const bytes = fromBase64(base64);
    if (signer !== name || !bytes || toHex(bytes.subarray(0, 4)) !== id) continue;
    return isSigned(text, bytes.subarray(4), typed.subarray(1)) ? text : undefined;
  }
  return undefined;
}

/** What a log is at one size. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  /** In base64. */
  readonly root: string;
}

export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root}\n`;

const checkpoint = /^([^\s+]+)\n(0|[1-9]\d{0,14})\n([A-Za-z0-9+/]{43}=)\n(?:\n|$)/;

/** The text of a checkpoint, or of a whole note, whose signature this does not look at. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const [, origin, size, root] = checkpoint.exec(text) ?? [];
  if (origin === undefined || size === undefined || root === undefined) return undefined;
  return { origin, size: Number(size), root };
}
