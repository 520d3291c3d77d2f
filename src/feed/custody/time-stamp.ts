import { toHex } from './notes.js';

// Time stamps (RFC 3161) as far as their bytes tell, browsers included. Whether a service that one trusts has
// signed them, openssl.ts has OpenSSL say.

/** A value in DER. */
interface Value {
  readonly tag: number;
  /** With its tag and length. */
  readonly whole: Uint8Array;
  readonly body: Uint8Array;
}

/** The values one after the other. @throws RangeError for anything else. */
function valuesIn(bytes: Uint8Array): Value[] {
  const found: Value[] = [];
  for (let at = 0; at < bytes.length;) {
    const [tag = 0, first = 0] = bytes.subarray(at);
    const more = first < 128 ? 0 : first - 128;
    const digits = bytes.subarray(at + 2, at + 2 + more);
    const length = more === 0 ? first : Number.parseInt(toHex(digits), 16);
    const start = at + 2 + more;
    if (!(start + length <= bytes.length)) throw new RangeError('not DER');
    found.push({
      tag,
      whole: bytes.subarray(at, start + length),
      body: bytes.subarray(start, start + length),
    });
    at = start + length;
  }
  return found;
}

function valueOf(tag: number, parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const hex = length.toString(16);
  const digits = hex.length % 2 === 0 ? hex : `0${hex}`;
  const bytes = digits.match(/../g)?.map((digit) => Number.parseInt(digit, 16)) ?? [];
  const head = length < 128 ? [tag, length] : [tag, 0x80 + bytes.length, ...bytes];
  return Uint8Array.from([head, ...parts.map((part) => [...part])].flat());
}

const sequence = 0x30;
const tagged = 0xa0;

const signedData = '2a864886f70d010702';
const stampInfo = '2a864886f70d0109100104';
const sha256Id = '608648016503040201';

/** The object identifier that a value has, in hexadecimal. */
const idOf = (value: Value | undefined): string => (value?.tag === 6 ? toHex(value.body) : '');

/** What a list of values has in a value. */
const within = (value: Value | undefined): Value[] => (value ? valuesIn(value.body) : []);

/** The type of a token, and the parts of what its service has signed. @throws RangeError for anything else. */
function openToken(token: Uint8Array): { type: Value; parts: Value[] } {
  const [type, content] = within(valuesIn(token)[0]);
  const parts = within(within(content)[0]);
  if (!type || idOf(type) !== signedData || parts.length < 4) throw new RangeError('not a token');
  return { type, parts };
}

/** What a token says, whoever has signed it. */
export interface StampInfo {
  /** The SHA-256 of what was stamped, in hexadecimal. */
  readonly hash: string;
  /** When: 2026-11-29T07:34:52Z. */
  readonly at: string;
}

/** @returns undefined for what is no token over a SHA-256. */
export function readToken(token: Uint8Array): StampInfo | undefined {
  try {
    const [type, content] = within(openToken(token).parts[2]);
    if (idOf(type) !== stampInfo) return undefined;
    const [info] = within(within(content)[0]);
    const [, , imprint, , time] = within(info);
    const [algorithm, hash] = within(imprint);
    const digits = String.fromCharCode(...(time?.body ?? []));
    const [, y, month, d, h, m, s] =
      /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d(?:\.\d{1,9})?)Z$/.exec(digits) ?? [];
    if (idOf(within(algorithm)[0]) !== sha256Id || !hash || s === undefined) return undefined;
    return { hash: toHex(hash.body), at: `${y}-${month}-${d}T${h}:${m}:${s}Z` };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The certificates that a token has, as it has them; empty without. */
export const certificatesOf = (token: Uint8Array): Uint8Array =>
  openToken(token).parts.find(({ tag }) => tag === tagged)?.whole ?? new Uint8Array();

/** A token with these certificates alone: nothing that was signed changes. */
export function withCertificates(token: Uint8Array, certificates: Uint8Array): Uint8Array {
  const { type, parts } = openToken(token);
  const [version, algorithms, content, ...others] = parts.filter(({ tag }) => tag !== tagged);
  const all = [version, algorithms, content].map((part) => part?.whole ?? new Uint8Array());
  const signed = valueOf(sequence, [...all, certificates, ...others.map(({ whole }) => whole)]);
  return valueOf(sequence, [type.whole, valueOf(tagged, [signed])]);
}
