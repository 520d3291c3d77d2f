import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';

/** Decodes text; undefined if bytes are not valid in the charset. */
export type Decode = (bytes: Buffer) => string | undefined;

/** Names that the Encoding Standard lacks, or reads as windows-1252. */
const labels = new Map([
  ['us-ascii', 'utf-8'],
  ['ascii', 'utf-8'],
  ['cp949', 'euc-kr'],
  ['ms949', 'euc-kr'],
  ['uhc', 'euc-kr'],
]);

/** Names of encodings of the Encoding Standard in iconv-lite, where the two differ. */
const tables = new Map([
  ['euc-kr', 'cp949'],
  ['gbk', 'gb18030'],
  ['big5', 'big5-hkscs'],
  ['ibm866', 'cp866'],
  ['iso-8859-8-i', 'iso-8859-8'],
  ['x-mac-cyrillic', 'maccyrillic'],
]);

/** Bytes that a table decodes in 10 ms: more than any text, less than a body. */
const maxTableBytes = 512 * 1024;

const replacement = '\ufffd';

export const decodeUtf8: Decode = (bytes) => (isUtf8(bytes) ? bytes.toString() : undefined);

/**
 * The decoder of a charset by any label of the Encoding Standard; undefined for an unknown one.
 * TextDecoder only reads the labels, UTF-16 and ISO-2022-JP: the one of Node.js takes euc-kr
 * without the extension that most Korean text needs, and windows-1252 for ISO 8859-1, both without
 * an error.
 */
export function decoderOf(label: string): Decode | undefined {
  const wanted = label.trim().toLowerCase();
  const name = encodingOf(labels.get(wanted) ?? wanted);
  if (name === undefined || name === 'utf-8') return name && decodeUtf8;
  const table = tables.get(name) ?? name;
  if (name.startsWith('utf-16') || !iconv.encodingExists(table)) return decodeStrictly(name);
  return (bytes) => {
    if (bytes.length > maxTableBytes) return undefined;
    const text = iconv.decode(bytes, table, { stripBOM: false });
    return text.includes(replacement) ? undefined : text;
  };
}

function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

const decodeStrictly =
  (name: string): Decode =>
  (bytes) => {
    try {
      return new TextDecoder(name, { fatal: true }).decode(bytes);
    } catch {
      return undefined;
    }
  };
