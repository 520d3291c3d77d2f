import { createHash } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';

/** A file to be stored as an object. The store takes ownership: after `put`, the file is gone. */
export interface NewObject {
  /**
   * Slash-separated, immutable, `[A-Za-z0-9._/-]` only; the extension determines the content type.
   */
  readonly key: string;
  readonly path: string;
  /** The SHA-256 of its bytes in hexadecimal, if known: adapters that need it do not compute it. */
  readonly sha256?: string;
}

/** An inclusive byte range, as in a resolved HTTP Range header. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface ObjectStat {
  readonly bytes: number;
  readonly modifiedAt: Date;
}

/** A multipart upload in progress, which takes up space until it is completed or aborted. */
export interface UnfinishedUpload {
  readonly key: string;
}

export interface ObjectBody extends ObjectStat {
  /** The requested bytes; `bytes` is still the size of the whole object. */
  readonly stream: Readable;
  /** For adapters with a cheaper way, for few bytes: reads all that were requested. */
  readonly read?: () => Promise<Buffer>;
  /**
   * For adapters with a cheaper way than piping the stream: writes the requested bytes to
   * `destination` and ends it, in place of the stream. On failure destroys it and throws.
   */
  readonly sendTo?: (destination: Writable, signal: AbortSignal) => Promise<void>;
}

/**
 * Some of the given objects could not be deleted; all others were. The cause of the ServiceError
 * `unavailable` that `delete` throws.
 */
export class DeletionRefused extends Error {
  override readonly name = 'DeletionRefused';

  /**
   * @param reasons why, for each key that is still there. @param code of the first: an error code of
   * S3, or of the operating system.
   */
  constructor(
    readonly reasons: ReadonlyMap<string, string>,
    readonly code: string,
  ) {
    const [[key, reason] = ['', '']] = reasons;
    super(`${reasons.size} of the objects could not be deleted, such as ${key}: ${reason}`);
  }
}

/** The refusal behind an error of `delete`; undefined if it failed for all keys, or otherwise. */
export function refusalOf(error: unknown): DeletionRefused | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof DeletionRefused ? cause : undefined;
}

/** Signs an object of a folder. @param name under which clients should save it. */
export type SignObject = (object: string, name?: string) => string;

/** Creates the URLs given to clients. */
export interface UrlSigner {
  /**
   * A time-limited URL that grants access to the object: absolute, or starting with `/` if the API
   * itself serves it. Within one time window, a key always gets the same URL.
   * @param name under which clients should save the object.
   */
  sign(key: string, name?: string): string;
  /**
   * The same for several objects whose keys have the same prefix, in less time. @param folder the
   * prefix of the keys, ending with `/`. @param base precedes URLs that would start with `/`.
   * @returns a function that signs the rest of a key.
   */
  signIn(folder: string, base: string): SignObject;
}

/** Legal holds of objects, which nobody gets around who may not take them off (S3 object lock). */
export interface LegalHolds {
  /** Tells this store from others. */
  readonly place: string;
  /** Whether objects can be held; `unknown` where this installation may not ask. */
  lock(): Promise<'on' | 'off' | 'unknown'>;
  /** Puts legal holds on objects, or takes them off; those that are missing do not matter. */
  set(keys: readonly string[], held: boolean): Promise<void>;
}

/**
 * Where bytes are stored. Objects are written once and never changed. Every adapter passes
 * test/store/conformance.ts.
 */
export interface ObjectStore extends UrlSigner {
  /**
   * Stores all of these durably (on disk, names included) or throws; after an error some may be
   * stored.
   */
  put(objects: readonly NewObject[]): Promise<void>;
  /** @returns undefined if there is no such object. */
  get(key: string, range?: ByteRange): Promise<ObjectBody | undefined>;
  stat(key: string): Promise<ObjectStat | undefined>;
  /**
   * Gives an object another key, durably; never overwrites one. After a kill in between, the object
   * may have both keys; moving it again completes the move.
   */
  move(from: string, to: string): Promise<void>;
  /**
   * Removes objects and unfinished uploads; missing ones count as removed. Success was confirmed for
   * each key. @throws ServiceError whose cause is DeletionRefused if some keys alone failed.
   */
  delete(keys: readonly string[]): Promise<void>;
  /** Every key that starts with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<{ readonly key: string; readonly bytes: number }>;
  /** Every unfinished upload; none if objects can only be stored as a whole. */
  unfinished(): AsyncIterable<UnfinishedUpload>;
  /** Throws if the store cannot be used now. */
  check(): Promise<void>;
  /** The same for readiness probes: throws if objects cannot be stored now, either. */
  checkReady(): Promise<void>;
  /** Absent where there is no such thing. */
  readonly legalHolds?: LegalHolds | undefined;
  /** A put of another process of this node failed: the next `checkReady` tries one. */
  distrust(): void;
}

/** The SHA-256 of an object in hexadecimal; undefined if there is none. */
export async function hashOf(
  store: Pick<ObjectStore, 'get'>,
  key: string,
): Promise<string | undefined> {
  const body = await store.get(key);
  if (!body) return undefined;
  const hash = createHash('sha256');
  for await (const chunk of body.stream as Readable & AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}
