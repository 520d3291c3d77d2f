import { createHash } from 'node:crypto';
import { mkdir, rm, rmdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Request as ExpressRequest, Response } from 'express';
import { v7 as uuidv7 } from 'uuid';
import { invalidField, ServiceError } from '../base/errors/catalogue.js';
import type { FreeDisk } from '../base/os/machine.js';
import { fileStoreError } from '../base/os/files.js';
import { bytesPerMegabyte, minuteMs } from '../base/units.js';
import { contentLength, decoderFor, sendContinue, expectedBodyType, readFields } from './body.js';
import { fieldLimits, uploadFieldLimits, type KnownFields, type RawFields } from './form-fields.js';
import { readForm, type FilePart } from './form.js';
import { ext } from './record-fields.js';
import { notation } from './request-fields.js';

/** Longest pause that a client may make in the middle of an upload. */
const stallMs = minuteMs;

/** An uploaded file on disk, in a folder of its own that is removed when the request ends. */
export interface ReceivedFile {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256, 32 bytes. */
  readonly hash: Buffer;
  /** Its name as the client sent it, not cleaned; absent if it sent none. */
  readonly name?: string;
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
interface ExpectedUpload {
  /** Name of the part that carries the file. */
  readonly part: string;
  /** The fields besides it. */
  readonly known: KnownFields;
  /** Bytes that the user may still store. */
  readonly remainingBytes: number;
  readonly suffices: NonNullable<FilePart['suffices']>;
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
    // Usually the store has taken all that was in it.
    await rmdir(folder).catch(() => rm(folder, { recursive: true, force: true }));
  }
}

/** How to process a form as it arrives. */
interface Receiving extends ExpectedUpload, Pick<UploadStaging, 'maxBytes'> {
  /** Refuses a body of this declared length if there is not enough space. */
  readonly admit?: (bytes: number) => Promise<void>;
  /** Must consume the file. */
  readonly keep: (content: AsyncIterable<Buffer>) => Promise<ReceivedFile>;
}

/** RFC 9110, section 14.5: what would be stored otherwise is a part of a file, as though it were whole. */
const noParts =
  'omitted: a form has the whole file; large files are sent in parts by tus (…/uploads)';

/** @throws ServiceError as {@link readForm}; `storage_quota_exceeded`. */
export async function receiveForm(
  request: ExpressRequest,
  response: Response,
  { part, known, remainingBytes, maxBytes, admit, keep, suffices }: Receiving,
): Promise<ReceivedForm> {
  if (request.headers['content-range'] !== undefined) throw invalidField('Content-Range', noParts);
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
    receive: async (content, name) => {
      file = { ...(await keep(content)), ...(name !== undefined && { name }) };
    },
    skip: (name) => void otherFiles.push(name),
    suffices,
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

/**
 * Bytes collected before they are written in one call: each call costs as much as copying hundreds
 * of kilobytes. An upload holds no more than this and one further chunk in memory.
 */
const collectedBytes = 512 * 1024;

/**
 * Writes a new file, collecting what arrives in small chunks.
 * @param beforeWrite called before each write; may throw.
 */
export async function writeHashed(
  chunks: AsyncIterable<Buffer>,
  path: string,
  beforeWrite: () => Promise<void>,
): Promise<{ bytes: number; hash: Buffer }> {
  const hash = createHash('sha256');
  let bytes = 0;
  let collected: Buffer[] = [];
  let pending = 0;
  const file = await open(path, 'wx', 0o600);
  const write = async (): Promise<void> => {
    await beforeWrite();
    await writeAll(file, collected, pending);
    collected = [];
    pending = 0;
  };
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      collected.push(chunk);
      pending += chunk.length;
      if (pending >= collectedBytes) await write();
    }
    if (pending > 0) await write();
  } finally {
    await file.close();
  }
  return { bytes, hash: hash.digest() };
}

async function writeAll(file: FileHandle, chunks: Buffer[], bytes: number): Promise<void> {
  const { bytesWritten } = await file.writev(chunks);
  // An almost full disk may accept only a part. Writing the rest either succeeds or fails with the
  // reason.
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(chunks).subarray(bytesWritten));
}

const quotaExceeded = (): ServiceError => new ServiceError('storage_quota_exceeded');

const fileTooLarge = (limit: number): ServiceError =>
  new ServiceError('upload_too_large', {
    message: `The file is larger than the ${limit / bytesPerMegabyte} MB that this server accepts.`,
  });

const digits = /^[0-9A-Fa-f]{64}$/;

/** The fields of every upload that describe its file. */
export const fileHashFields = {
  image_hash: notation(digits, (text) => text.toLowerCase(), '64 hexadecimal digits (SHA-256)')
    .optional()
    .meta({
      ...ext,
      description:
        'SHA-256 of the file; a file with another hash is rejected. Send it before the file, so that a repeat with an Idempotency-Key need not send the file',
    }),
};

/**
 * @throws ServiceError `hash_mismatch` if the received bytes do not have the hash that the client
 *   sent.
 */
export function assertFileHash(fields: RawFields, { hash }: ReceivedFile): void {
  const announced = hashField(fields);
  if (announced?.equals(hash) !== false) return;
  const [expected, actual] = [announced, hash].map((one) => one.toString('hex'));
  throw new ServiceError('hash_mismatch', {
    field: 'image_hash',
    message: `The file that arrived has the SHA-256 ${actual}, not ${expected}; send it again.`,
    details: { expected, actual },
  });
}

/** The hash that validated fields name. */
export const hashField = ({ image_hash: hash }: RawFields): Buffer | undefined =>
  typeof hash === 'string' ? Buffer.from(hash, 'hex') : undefined;
