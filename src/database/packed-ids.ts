const idBytes = 16;

/** Many UUIDs at 16 bytes each, where text would take 60. */
export class PackedIds {
  readonly #parts: Buffer[] = [];
  #length = 0;

  /** @param packed concatenated ids in the format of PostgreSQL's `uuid_send`. */
  constructor(packed: Buffer = Buffer.alloc(0)) {
    this.#take(packed);
  }

  get length(): number {
    return this.#length;
  }

  add(ids: readonly string[]): void {
    this.#take(Buffer.from(ids.join('').replaceAll('-', ''), 'hex'));
  }

  /** The ids in insertion order, in slices of the given size. */
  *slices(size: number): Generator<string[]> {
    for (const part of this.#parts) {
      for (let start = 0; start < part.length; start += size * idBytes) {
        yield idsIn(part.subarray(start, start + size * idBytes));
      }
    }
  }

  #take(packed: Buffer): void {
    if (packed.length === 0) return;
    this.#parts.push(packed);
    this.#length += packed.length / idBytes;
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
