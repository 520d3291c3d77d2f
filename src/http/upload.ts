import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { v7 as uuidv7 } from 'uuid';
import { storeFailure } from '../store/system-error.js';
import { readForm } from './form.js';
import type { RawFields } from './input.js';

/** An uploaded file on disk, in a folder of its own that goes away when the request ends. */
export interface ReceivedFile {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256, 32 bytes. */
  readonly hash: Buffer;
}

export interface ReceivedForm {
  readonly fields: RawFields;
  /** Absent when the form had no such part. */
  readonly file?: ReceivedFile;
  /** Removes the folder of the upload. */
  readonly discard: () => Promise<void>;
}

export interface UploadLimits {
  /** Folder under which uploads are written. */
  readonly incoming: string;
  /** Bytes of a file at most. */
  readonly maxBytes: number;
}

/**
 * Streams a form whose part `part` is a file into `<incoming>/<id>/original`, hashing on the way.
 * @throws ServiceError as {@link readForm}; nothing stays on disk then.
 */
export async function receiveUpload(
  request: IncomingMessage,
  part: string,
  limits: UploadLimits,
): Promise<ReceivedForm> {
  const folder = join(limits.incoming, uuidv7());
  const discard = () => rm(folder, { recursive: true, force: true });
  let writing: Promise<ReceivedFile> | undefined;
  try {
    const fields = await readForm(request, {
      fileLimit: limits.maxBytes,
      onFile: ({ name, stream, fail }) => {
        if (name !== part || writing) return void stream.resume();
        writing = writeHashed(stream, folder);
        // A full disk is ours to mend, not the client's.
        writing.catch((error: unknown) => fail(storeFailure(error)));
      },
    });
    return { fields, file: await writing, discard };
  } catch (error) {
    await writing?.catch(() => undefined);
    await discard();
    throw error;
  }
}

async function writeHashed(stream: Readable, folder: string): Promise<ReceivedFile> {
  const path = join(folder, 'original');
  const hash = createHash('sha256');
  let bytes = 0;
  const tap = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await mkdir(folder, { mode: 0o700 });
  await pipeline(stream, tap, createWriteStream(path, { mode: 0o600 }));
  return { path, bytes, hash: hash.digest() };
}
