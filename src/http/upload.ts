import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Request as ExpressRequest, Response } from 'express';
import { v7 as uuidv7 } from 'uuid';
import { ServiceError } from '../base/errors/catalogue.js';
import type { FreeDisk } from '../base/os/free-disk.js';
import { fileStoreError } from '../base/os/system-error.js';
import { contentLength, decoderFor, sendContinue, expectedBodyType, readFields } from './body.js';
import { fieldLimits, uploadFieldLimits } from './form-fields.js';
import type { KnownFields } from './form-fields.js';
import { readForm } from './form.js';
import type { FilePart } from './form.js';
import type { RawFields } from './validate.js';
import { bytesPerMegabyte, minuteMs } from '../base/units.js';
import { writeHashed } from './write-hashed.js';

/** Longest pause that a client may make in the middle of an upload. */
const stallMs = minuteMs;

/** An uploaded file on disk, in a folder of its own that is removed when the request ends. */
export interface ReceivedFile {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256, 32 bytes. */
  readonly hash: Buffer;
  /** For the entries of archives. */
  readonly crc32: number;
}

export interface ReceivedForm {
  readonly fields: RawFields;
  /** Absent if the form had no such part. */
  readonly file?: ReceivedFile;
  /** Names of the parts that were files, but not the expected one. */
  readonly otherFiles?: readonly string[];
}

export interface UploadStaging {
  /** Folder that uploads are written to. */
  readonly incoming: string;
  /** Maximum file size in bytes. */
  readonly maxBytes: number;
  /** The disk that `incoming` is on. */
  readonly disk: Pick<FreeDisk, 'assertFree'>;
}

/** Parameters of one upload. */
export interface ExpectedUpload {
  /** Name of the part that carries the file. */
  readonly part: string;
  /** The fields besides it. */
  readonly known: KnownFields;
  /** Bytes that the user may still store. */
  readonly remainingBytes: number;
}

/**
 * Receives a form with a file. The file is written to `<incoming>/<id>/original` and hashed as it
 * arrives, and is kept until `use` has finished.
 * @throws ServiceError as {@link readForm}; `storage_quota_exceeded` as soon as the file cannot
 *   fit; `unavailable` when the disk is full; whatever `use` throws. Nothing stays on disk.
 */
export async function withUpload(
  request: ExpressRequest,
  response: Response,
  staging: UploadStaging,
  expected: ExpectedUpload,
  use: (form: ReceivedForm) => Promise<void>,
): Promise<void> {
  const { disk } = staging;
  const folder = join(staging.incoming, uuidv7());
  const keep = (content: AsyncIterable<Buffer>): Promise<ReceivedFile> =>
    store(content, folder, disk);
  try {
    const admit = (bytes: number): Promise<void> => disk.assertFree(bytes);
    await use(await receiveForm(request, response, { ...staging, ...expected, admit, keep }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How to process a form as it arrives. */
interface Receiving
  extends ExpectedUpload, Pick<UploadStaging, 'maxBytes'>, Pick<FilePart, 'suffices'> {
  /** Refuses a body of this declared length if there is not enough space. */
  readonly admit?: (bytes: number) => Promise<void>;
  /** Must consume the file. */
  readonly keep: (content: AsyncIterable<Buffer>) => Promise<ReceivedFile>;
}

/** @throws ServiceError as {@link readForm}; `storage_quota_exceeded`. */
export async function receiveForm(
  request: ExpressRequest,
  response: Response,
  { part, known, remainingBytes, maxBytes, admit, keep, suffices }: Receiving,
): Promise<ReceivedForm> {
  const bytes = maxBytes + uploadFieldLimits.bytes;
  if (expectedBodyType(request, bytes) !== 'multipart') {
    return { fields: await readFields(request, response, { known, limits: fieldLimits }) };
  }
  // Besides the file there are at most this many bytes, so a longer body cannot fit.
  if (contentLength(request) > remainingBytes + uploadFieldLimits.bytes) throw quotaExceeded();
  await admit?.(contentLength(request));
  const decode = decoderFor(request);
  sendContinue(request, response);
  let file: ReceivedFile | undefined;
  const otherFiles: string[] = [];
  const limits = { bytes, ms: stallMs, per: 'chunk' } as const;
  const rules = { known, limits: uploadFieldLimits };
  const fields = await readForm(request, limits, rules, decode, {
    name: part,
    maxBytes: Math.min(maxBytes, remainingBytes),
    tooLarge: remainingBytes < maxBytes ? quotaExceeded : () => fileTooLarge(maxBytes),
    receive: async (content) => {
      file = await keep(content);
    },
    skip: (name) => void otherFiles.push(name),
    ...(suffices && { suffices }),
  });
  return { fields, otherFiles, ...(file && { file }) };
}

/** @throws ServiceError `unavailable` when the disk fails: the server's fault, not the client's. */
async function store(
  content: AsyncIterable<Buffer>,
  folder: string,
  disk: UploadStaging['disk'],
): Promise<ReceivedFile> {
  const path = join(folder, 'original');
  try {
    await mkdir(folder, { mode: 0o700 });
    return { path, ...(await writeHashed(content, path, () => disk.assertFree())) };
  } catch (error) {
    throw fileStoreError(error);
  }
}

const quotaExceeded = (): ServiceError => new ServiceError('storage_quota_exceeded');

const fileTooLarge = (limit: number): ServiceError =>
  new ServiceError('upload_too_large', {
    message: `The file is larger than the ${limit / bytesPerMegabyte} MB that this server accepts.`,
  });
