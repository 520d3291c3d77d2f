import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request as ExpressRequest, Response } from 'express';
import { v7 as uuidv7 } from 'uuid';
import { ServiceError } from '../errors/catalogue.js';
import type { FreeDisk } from '../os/free-disk.js';
import { storeFailure } from '../os/system-error.js';
import { announcedBytes, askForBody, expectedBody, readFields } from './body.js';
import { fieldBytesLimit } from './form-fields.js';
import { readForm } from './form.js';
import type { RawFields } from './input.js';
import { bytesPerMegabyte, minuteMs } from '../units.js';

/** Longest time that a client may send nothing in the middle of an upload. */
const stallMs = minuteMs;

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
}

export interface UploadPlace {
  /** Folder under which uploads are written. */
  readonly incoming: string;
  /** Bytes of a file at most. */
  readonly maxBytes: number;
  /** Where `incoming` lies. */
  readonly disk: Pick<FreeDisk, 'expectRoom'>;
}

/** What one upload is about. */
export interface Expected {
  /** Name of the part that carries the file. */
  readonly part: string;
  /** Bytes that the user may still store. */
  readonly room: number;
}

/**
 * Takes in a form with a file, which is written to `<incoming>/<id>/original` and hashed on the way,
 * for as long as `use` needs it.
 * @throws ServiceError as {@link readForm}; `storage_quota_exceeded` as soon as the file cannot fit;
 *   `unavailable` when the disk is full; what `use` throws. Nothing stays on disk.
 */
export async function withUpload(
  request: ExpressRequest,
  response: Response,
  place: UploadPlace,
  expected: Expected,
  use: (form: ReceivedForm) => Promise<void>,
): Promise<void> {
  const folder = join(place.incoming, uuidv7());
  try {
    await use(await receive(request, response, { ...place, ...expected, folder }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function receive(
  request: ExpressRequest,
  response: Response,
  { part, room, maxBytes, disk, folder }: UploadPlace & Expected & { folder: string },
): Promise<ReceivedForm> {
  const bytes = maxBytes + fieldBytesLimit;
  if (expectedBody(request, bytes) !== 'multipart') {
    return { fields: await readFields(request, response) };
  }
  // Beside the file there are at most so many bytes: a longer body surely does not fit.
  if (announcedBytes(request) > room + fieldBytesLimit) throw quotaExceeded();
  await disk.expectRoom(announcedBytes(request));
  askForBody(request, response);
  let file: ReceivedFile | undefined;
  const limits = { bytes, ms: stallMs, per: 'piece' } as const;
  const fields = await readForm(request, limits, {
    name: part,
    maxBytes: Math.min(maxBytes, room),
    tooLarge: room < maxBytes ? quotaExceeded : () => fileTooLarge(maxBytes),
    receive: async (content) => {
      file = await writeHashed(content, folder, disk);
    },
  });
  return { fields, ...(file && { file }) };
}

/** @throws ServiceError `unavailable` for what the disk does not take: ours to mend, not the client's. */
async function writeHashed(
  content: Readable,
  folder: string,
  disk: UploadPlace['disk'],
): Promise<ReceivedFile> {
  const path = join(folder, 'original');
  const hash = createHash('sha256');
  let bytes = 0;
  async function* hashed(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      bytes += piece.length;
      hash.update(piece);
      await disk.expectRoom();
      yield piece;
    }
  }
  try {
    await mkdir(folder, { mode: 0o700 });
    await pipeline(content, hashed, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    throw storeFailure(error);
  }
  return { path, bytes, hash: hash.digest() };
}

const quotaExceeded = (): ServiceError => new ServiceError('storage_quota_exceeded');

const fileTooLarge = (limit: number): ServiceError =>
  new ServiceError('upload_too_large', {
    message: `The file is larger than the ${limit / bytesPerMegabyte} MB that this server accepts.`,
  });
