import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { bytesPerMegabyte, secondMs } from '../base/units.js';
import type { ByteRange, ObjectBody, ObjectStat, ObjectStore } from './port.js';

/** For how long an object that was there counts as being there. */
const validMs = secondMs;

/** Objects that are remembered, about 3 MB of them. */
const maxKnown = 10_000;

/** The largest object whose bytes are kept, and the bytes that are kept in all. */
const keptBytes = 64 * 1024;
const maxKeptBytes = 16 * bytesPerMegabyte;

type Source = Pick<ObjectStore, 'get' | 'stat'>;

/** An object that was there a moment ago. */
export interface RecentObject extends ObjectStat {
  /** Its bytes, if they are kept. */
  readonly content?: Buffer | undefined;
}

interface Known extends RecentObject {
  readonly checkedAt: number;
}

/**
 * Remembers which objects were there a moment ago, and the bytes of small ones, as nginx does with
 * `open_file_cache`: a page of thumbnails is often asked for again at once, and system calls cost more
 * than everything else about them. What is under a key never changes, so that whether it is there is
 * all that has to be checked again.
 */
export class RecentObjects implements Source {
  /** By key. Each counts a byte more than is kept of it, as a size has to be more than none. */
  readonly #known = new LRUCache<string, Known>({
    max: maxKnown,
    maxSize: maxKeptBytes + maxKnown,
    sizeCalculation: ({ content }) => 1 + (content?.length ?? 0),
  });

  constructor(
    private readonly store: Source,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** An object that was there a moment ago, without waiting. */
  peek(key: string): RecentObject | undefined {
    const known = this.#known.get(key);
    return known && this.now() - known.checkedAt < validMs ? known : undefined;
  }

  async stat(key: string): Promise<ObjectStat | undefined> {
    const checkedAt = this.now();
    const found = await this.store.stat(key);
    this.#note(key, found, checkedAt);
    return found;
  }

  async get(key: string, range?: ByteRange): Promise<ObjectBody | undefined> {
    if (range) return this.store.get(key, range);
    if (this.#known.get(key)?.content) {
      await this.stat(key);
      const { content, modifiedAt } = this.#known.get(key) ?? {};
      if (content && modifiedAt) return new KeptBody(content, modifiedAt);
    }
    const checkedAt = this.now();
    const body = await this.store.get(key);
    this.#note(key, body, checkedAt);
    if (!body?.read || body.bytes > keptBytes) return body;
    const content = await body.read();
    this.#keep(key, content);
    return new KeptBody(content, body.modifiedAt);
  }

  #note(key: string, found: ObjectStat | undefined, checkedAt: number): void {
    const before = this.#known.peek(key);
    if (!found) {
      this.#known.delete(key);
      return;
    }
    const { bytes, modifiedAt } = found;
    // A file that was repaired is another one.
    const isSame = before?.bytes === bytes && before.modifiedAt.getTime() === modifiedAt.getTime();
    const content = isSame ? before.content : undefined;
    this.#known.set(key, { bytes, modifiedAt, content, checkedAt });
  }

  #keep(key: string, content: Buffer): void {
    const known = this.#known.peek(key);
    if (!known || known.content || known.bytes !== content.length) return;
    this.#known.set(key, { ...known, content });
  }
}

class KeptBody implements ObjectBody {
  readonly bytes: number;

  constructor(
    private readonly content: Buffer,
    readonly modifiedAt: Date,
  ) {
    this.bytes = content.length;
  }

  get stream(): Readable {
    return Readable.from([this.content]);
  }

  readonly read = async (): Promise<Buffer> => this.content;
}
