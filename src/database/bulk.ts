import { bytesPerMegabyte } from '../base/units.js';

const idBytes = 16;

/** Many UUIDs at 16 bytes each, where text would take 60. */
export class PackedIds {
  /** @param packed concatenated ids in the format of PostgreSQL's `uuid_send`. */
  constructor(private readonly packed: Buffer) {}

  get length(): number {
    return this.packed.length / idBytes;
  }

  /** The ids in their order, in slices of the given size. */
  *slices(size: number): Generator<string[]> {
    for (let start = 0; start < this.packed.length; start += size * idBytes) {
      yield idsIn(this.packed.subarray(start, start + size * idBytes));
    }
  }
}

function idsIn(packed: Buffer): string[] {
  const hex = packed.toString('hex');
  return Array.from({ length: packed.length / idBytes }, (_, n) =>
    hex
      .slice(n * 2 * idBytes, (n + 1) * 2 * idBytes)
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  );
}

/** A fragment of JSON text that PostgreSQL builds: an SQL expression of type text, not null. */
class SqlPiece {
  constructor(readonly sql: string) {}
}

/** A fragment of JSON text: either fixed or from columns. */
export type JsonPiece = string | SqlPiece;

export const sqlPiece = (sql: string): SqlPiece => new SqlPiece(sql);

/** Converts bytes to megabytes as `toMegabytes` does, which rounds halves up. */
export const megabytesPiece = (bytes: string): SqlPiece =>
  sqlPiece(`floor(${bytes}::float8 / ${bytesPerMegabyte} * 1e6::float8 + 0.5) / 1e6::float8`);

/**
 * Text whose characters are the bytes of UTF-8. JavaScript stores a string with wider characters,
 * such as Korean ones, and all substrings of it, in twice the memory; reading, slicing, and sending
 * it takes three times as long.
 */
export const characterPerByte = (text: string): string =>
  `convert_from(convert_to(${text}, 'UTF8'), 'LATIN1')`;

/** Arguments of one call of `concat`; PostgreSQL accepts 100. */
const argumentsAtOnce = 96;

/** Fixed text as an SQL literal; control characters are spelled out. */
const literal = (text: string): string =>
  `E'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "''")
    .replace(/[\0-\x1f]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)}'`;

/** An SQL expression that concatenates the fragments. */
export function concatenation(pieces: readonly JsonPiece[]): string {
  const joined: JsonPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') joined.splice(-1, 1, last + piece);
    else joined.push(piece);
  }
  const values = joined.map((piece) => (typeof piece === 'string' ? literal(piece) : piece.sql));
  const calls: string[] = [];
  for (let start = 0; start < values.length; start += argumentsAtOnce) {
    calls.push(`concat(${values.slice(start, start + argumentsAtOnce).join(', ')})`);
  }
  return calls.join(' || ');
}
