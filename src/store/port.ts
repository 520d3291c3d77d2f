import type { Readable, Writable } from 'node:stream';

/** A file that is to become an object. The store takes the file over: after `put` it is gone. */
export interface NewObject {
  /** Slash-separated, immutable, `[A-Za-z0-9._/-]` only; the extension tells the content type. */
  readonly key: string;
  readonly path: string;
}

/** An inclusive byte range, as in the HTTP Range header after resolution. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface ObjectStat {
  readonly bytes: number;
  readonly modifiedAt: Date;
}

/** An object that was begun to be stored in parts, which take room until it is completed or aborted. */
export interface UnfinishedUpload {
  readonly key: string;
}

export interface ObjectBody extends ObjectStat {
  /** The bytes asked for; `bytes` is the size of the whole object all the same. */
  readonly stream: Readable;
  /**
   * Where an adapter knows a cheaper way than piping the stream: writes the bytes asked for to
   * `destination` and ends it, instead of the stream. Destroys it and throws when it cannot go on.
   */
  readonly sendTo?: (destination: Writable, signal: AbortSignal) => Promise<void>;
}

/**
 * Where bytes live. Objects are written once and never changed.
 * Every adapter passes test/store/conformance.ts.
 */
export interface ObjectStore {
  /** Stores all of these durably (on disk, names included) or throws; on a throw some may be stored. */
  put(objects: readonly NewObject[]): Promise<void>;
  /** @returns undefined when there is no such object. */
  get(key: string, range?: ByteRange): Promise<ObjectBody | undefined>;
  stat(key: string): Promise<ObjectStat | undefined>;
  /** Removes objects and unfinished uploads; what is not there counts as removed. */
  delete(keys: readonly string[]): Promise<void>;
  /** Every key that starts with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<{ readonly key: string; readonly bytes: number }>;
  /** Every unfinished upload; none where an object is stored whole or not at all. */
  unfinished(): AsyncIterable<UnfinishedUpload>;
  /**
   * A time-limited address that gives the object to whoever holds it: absolute, or starting with `/`
   * when the API itself serves it. Within one clock window a key always gets the same address.
   */
  sign(key: string): string;
  /** Throws when the store cannot be used now; for readiness probes. */
  check(): Promise<void>;
}
