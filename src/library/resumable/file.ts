import { createHash, type Hash } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import { withStoreErrors } from '../../base/os/files.js';
import type { ReceivedFile, UploadStaging } from '../../http/upload.js';
import type { ObjectStore } from '../../store/port.js';
import type { Piece } from './uploads.sql.js';

/** Bytes collected before they are written in one call, as in a form. */
const collectedBytes = 512 * 1024;

/** The object of a piece is gone. */
export class PieceLost extends Error {
  override readonly name = 'PieceLost';

  constructor(readonly piece: Piece) {
    super(`${piece.key}: the object is missing, or has not ${piece.bytes} bytes`);
  }
}

/**
 * The file of an upload on this node while one request brings bytes of it: they are written at their
 * offsets, and what other requests have brought is a hole until it is filled from the store.
 */
export class ArrivingFile {
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #written: number;
  readonly #hash: Hash = createHash('sha256');

  private constructor(
    private readonly folder: string,
    private readonly file: FileHandle,
    /** Offset of the first byte of this request. */
    readonly start: number,
    private readonly disk: UploadStaging['disk'],
  ) {
    this.#written = start;
  }

  /** Runs `work` with a file, which is removed afterwards. @param start offset of its first byte. */
  static async with<T>(
    { incoming, disk }: Pick<UploadStaging, 'incoming' | 'disk'>,
    start: number,
    work: (file: ArrivingFile) => Promise<T>,
  ): Promise<T> {
    const folder = join(incoming, uuidv7());
    try {
      const file = await withStoreErrors(async () => {
        await mkdir(folder, { mode: 0o700 });
        return open(join(folder, 'original'), 'wx+', 0o600);
      });
      try {
        return await work(new ArrivingFile(folder, file, start, disk));
      } finally {
        await file.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Offset after the last byte that has arrived. */
  get end(): number {
    return this.#written + this.#pendingBytes;
  }

  /** SHA-256 of the bytes of this request. */
  get hash(): Buffer {
    return this.#hash.copy().digest();
  }

  /** @throws ServiceError `unavailable` when the disk is full or fails, as do the other methods. */
  async add(chunk: Buffer): Promise<void> {
    this.#hash.update(chunk);
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    if (this.#pendingBytes >= collectedBytes) await this.#flush();
  }

  async #flush(): Promise<void> {
    const pending = Buffer.concat(this.#pending);
    if (pending.length === 0) return;
    await this.disk.assertFree();
    await withStoreErrors(() => this.#writeAt(pending, this.#written));
    this.#written += pending.length;
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  /** An almost full disk may accept only a part. Writing the rest succeeds, or fails with the reason. */
  async #writeAt(bytes: Buffer, position: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.file.write(bytes, done, undefined, position + done);
      done += bytesWritten;
    }
  }

  /** Copies what has arrived from an offset on into a file of its own. @returns its path and SHA-256. */
  async copy(from: number): Promise<{ path: string; sha256: string }> {
    await this.#flush();
    await this.disk.assertFree(this.#written - from);
    const path = join(this.folder, 'piece');
    const hash = createHash('sha256');
    await withStoreErrors(async () => {
      const copy = await open(path, 'w', 0o600);
      try {
        for await (const bytes of this.#read(from)) {
          hash.update(bytes);
          await copy.appendFile(bytes);
        }
      } finally {
        await copy.close();
      }
    });
    return { path, sha256: hash.digest('hex') };
  }

  /** Fills the hole before the bytes of this request. @throws PieceLost; ServiceError. */
  async fill(store: Pick<ObjectStore, 'get'>, pieces: readonly Piece[]): Promise<void> {
    await this.disk.assertFree(this.start);
    for (const piece of pieces) {
      if (piece.start >= this.start) break;
      const body = await store.get(piece.key);
      if (body?.bytes !== piece.bytes) {
        body?.stream.destroy();
        throw new PieceLost(piece);
      }
      let at = piece.start;
      for await (const bytes of body.stream as Readable & AsyncIterable<Buffer>) {
        await withStoreErrors(() => this.#writeAt(bytes, at));
        at += bytes.length;
      }
    }
  }

  /** The whole file, once the hole is filled. @param name that the client gave it. */
  async received(name: string | undefined): Promise<ReceivedFile> {
    await this.#flush();
    const hash = this.start === 0 ? this.hash : await this.#wholeHash();
    const path = join(this.folder, 'original');
    return { path, bytes: this.#written, hash, ...(name !== undefined && { name }) };
  }

  async #wholeHash(): Promise<Buffer> {
    const hash = createHash('sha256');
    await withStoreErrors(async () => {
      for await (const bytes of this.#read(0)) hash.update(bytes);
    });
    return hash.digest();
  }

  async *#read(from: number): AsyncGenerator<Buffer> {
    for (let at = from; at < this.#written;) {
      const length = Math.min(collectedBytes, this.#written - at);
      const { buffer, bytesRead } = await this.file.read(Buffer.alloc(length), 0, length, at);
      if (bytesRead === 0)
        throw new Error('the file of an upload is shorter than what has arrived');
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }
}
