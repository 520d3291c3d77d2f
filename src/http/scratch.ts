import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { shareOf } from '../base/callers.js';
import { currentCaller } from '../base/telemetry/context.js';
import { FairSemaphore } from '../database/fairness.js';
import { withDeadline } from '../base/concurrency.js';
import { ServiceError } from '../base/errors/catalogue.js';
import type { FreeDisk } from '../base/os/machine.js';
import { withStoreErrors } from '../base/os/files.js';
import { minuteMs, secondMs } from '../base/units.js';
import { StreamedResponse, writeChunk } from './streamed-response.js';

/** Bytes per read and write call. */
const pieceBytes = 64 * 1024;

/** Callers that may fill their share at the same time. */
const fullShares = 4;

/** Time limit for producing and sending a spooled response, in milliseconds. */
const spoolMs = 30 * minuteMs;

/** Longest wait for a long read to begin, in milliseconds, and how many of a caller may wait. */
const readWaitMs = 30 * secondMs;
const waitingReads = 32;

/** Repeated text becomes a tenth even at the fastest level. */
const compression = { level: 1 };

interface ScratchParts {
  readonly folder: string;
  readonly disk: Pick<FreeDisk, 'assertFree'>;
  /** Bytes that one caller may hold. */
  readonly perCaller: number;
  /** Connections of the database that this process may have. */
  readonly connections: number;
}

/**
 * Temporary files for the duration of a request, and long reads of the database, which fill them: a
 * response is read as fast as the database gives it, and sent as fast as the client takes it, so
 * that no connection waits for a client. Both are bounded by caller and in total (docs/adr/0010).
 */
export class Scratch {
  readonly #held = new Map<string, number>();
  readonly #reads: FairSemaphore;
  #total = 0;

  constructor(private readonly parts: ScratchParts) {
    const total = Math.max(1, Math.floor(parts.connections / 4));
    const perCaller = Math.max(1, Math.floor(total / 2));
    this.#reads = new FairSemaphore({
      total,
      perCaller,
      waiting: waitingReads,
      waitMs: readWaitMs,
    });
  }

  /**
   * Runs a transaction that may read as much as the caller owns. At most a quarter of the
   * connections do so at a time, or short reads would find none.
   * @throws ServiceError `unavailable` if too many do for too long.
   */
  longRead<T>(work: () => Promise<T>): Promise<T> {
    return this.#reads.run(callerName(), work);
  }

  /** @throws ServiceError `unavailable` when the disk is full or fails, as do the file's methods. */
  async file(): Promise<ScratchFile> {
    const path = join(this.parts.folder, `scratch-${randomUUID()}`);
    const caller = callerName();
    return withStoreErrors(async () => {
      const file = await open(path, 'wx+', 0o600);
      // The file disappears even if this process is killed.
      await unlink(path);
      return new ScratchFile(file, {
        charge: (bytes) => this.#charge(caller, bytes),
        giveBack: (bytes) => this.#count(caller, -bytes),
      });
    });
  }

  /**
   * Counts memory of a response that is produced for its reader. @returns what gives it back.
   * @throws ServiceError `unavailable` if the caller, or all together, hold too much.
   */
  async memory(bytes: number): Promise<() => void> {
    const caller = callerName();
    await this.#charge(caller, bytes);
    return () => this.#count(caller, -bytes);
  }

  /**
   * A response that is produced without waiting for its reader.
   * @param produce writes the body in a long read. An error before the first byte becomes an
   * ordinary error response; a later one breaks the connection.
   */
  response(
    type: string,
    produce: (destination: Writable, signal: AbortSignal) => Promise<void>,
  ): StreamedResponse {
    const headers = { 'Cache-Control': 'private, no-store' };
    const write = (destination: Writable, signal: AbortSignal): Promise<void> =>
      withDeadline(signal, spoolMs, (until) => this.#spool(produce, destination, until));
    return new StreamedResponse(headers, write, type);
  }

  async #spool(
    produce: (destination: Writable, signal: AbortSignal) => Promise<void>,
    destination: Writable,
    signal: AbortSignal,
  ): Promise<void> {
    const file = await this.file();
    const stop = new AbortController();
    const until = AbortSignal.any([signal, stop.signal]);
    const filling = this.longRead(() => fill(file, produce, until)).then(
      () => file.complete(),
      (error: Error) => file.complete(error),
    );
    try {
      const send = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
        for await (const chunk of chunks) await writeChunk(destination, chunk, until);
      };
      const unpacking = createGunzip({ chunkSize: pieceBytes });
      await pipeline(file.follow(until), unpacking, send, { signal: until });
      destination.end();
    } catch (error) {
      throw signal.aborted ? signal.reason : error; // whether the client left, or the time is over
    } finally {
      stop.abort();
      await filling;
      await file.close();
    }
  }

  async #charge(caller: string, bytes: number): Promise<void> {
    const { perCaller, disk } = this.parts;
    const held = (this.#held.get(caller) ?? 0) + bytes;
    const isTooMuch =
      held > shareOf(caller, perCaller) || this.#total + bytes > fullShares * perCaller;
    if (isTooMuch) throw tooMuch();
    this.#count(caller, bytes);
    await disk.assertFree(bytes).catch((error: unknown) => {
      this.#count(caller, -bytes);
      throw error;
    });
  }

  /** @param bytes more that a caller holds; negative for fewer. */
  #count(caller: string, bytes: number): void {
    this.#total += bytes;
    const held = (this.#held.get(caller) ?? 0) + bytes;
    if (held > 0) this.#held.set(caller, held);
    else this.#held.delete(caller);
  }
}

const callerName = (): string => currentCaller() ?? 'imgstore';

const tooMuch = (): ServiceError =>
  new ServiceError('unavailable', {
    message:
      'Downloads in progress hold too much space on the server. Read or end them, or ask for fewer images, then try again.',
    retryAfter: 10,
  });

/** Writes a compressed body into a file. */
async function fill(
  file: ScratchFile,
  produce: (destination: Writable, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted(); // it may have waited
  const gzip = createGzip(compression);
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  const store = async (pieces: AsyncIterable<Buffer>): Promise<void> => {
    for await (const piece of pieces) await file.add(piece);
  };
  const failures: Error[] = [];
  const orStop = (part: Promise<unknown>): Promise<unknown> =>
    part.catch((error: Error) => {
      failures.push(error);
      stop.abort(error);
    });
  await Promise.all([
    orStop(pipeline(gzip, store, { signal: until })),
    orStop(produce(gzip, until).then(() => gzip.end())),
  ]);
  const [failure] = failures;
  if (failure) throw failure;
  await file.flush();
}

/** An unlinked temporary file for data that is too large for memory. */
export class ScratchFile {
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #written = 0;
  #ended: { readonly error: Error | undefined } | undefined;
  #charged = 0;
  readonly #changes = new EventEmitter();

  constructor(
    private readonly file: FileHandle,
    private readonly space: {
      readonly charge: (bytes: number) => Promise<void>;
      readonly giveBack: (bytes: number) => void;
    },
  ) {}

  /** Counts memory that is held as long as the file. */
  async hold(bytes: number): Promise<void> {
    await this.space.charge(bytes);
    this.#charged += bytes;
  }

  /** Bytes added so far. */
  get bytes(): number {
    return this.#written + this.#pendingBytes;
  }

  async add(text: Buffer): Promise<void> {
    this.#pending.push(text);
    this.#pendingBytes += text.length;
    if (this.#pendingBytes >= pieceBytes) await this.flush();
  }

  /** To be called before reading. */
  async flush(): Promise<void> {
    const pending = Buffer.concat(this.#pending);
    await this.hold(pending.length);
    this.#pending = [];
    this.#pendingBytes = 0;
    await withStoreErrors(() => this.file.appendFile(pending));
    this.#written += pending.length;
    this.#changes.emit('change');
  }

  /** Nothing more will be added; with an error, because of that. */
  complete(error?: Error): void {
    this.#ended = { error };
    this.#changes.emit('change');
  }

  /** What is in the file, and what is added until it is complete. */
  async *follow(signal: AbortSignal): AsyncGenerator<Buffer> {
    for (let at = 0; ;) {
      const [end, ended] = [this.#written, this.#ended];
      yield* this.read(at, end);
      at = end;
      if (ended?.error !== undefined) throw ended.error;
      if (ended) return;
      const isBehind = at < this.#written || this.#ended !== undefined;
      if (!isBehind) await once(this.#changes, 'change', { signal });
    }
  }

  /** @param end exclusive. */
  async *read(start = 0, end = this.bytes): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const length = Math.min(pieceBytes, end - at);
      const { buffer, bytesRead } = await withStoreErrors(() =>
        this.file.read(Buffer.allocUnsafe(length), 0, length, at),
      );
      if (bytesRead === 0) throw new Error('a scratch file is shorter than it was');
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  /** The content as lines of text. */
  async *lines(): AsyncGenerator<string> {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const piece of this.read()) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  }

  async close(): Promise<void> {
    this.space.giveBack(this.#charged);
    await this.file.close();
  }
}
