import { NIL, v7 as uuidv7, validate as isUuid } from 'uuid';
import { guestsOf, shareOf } from '../../base/callers.js';
import { withDeadline } from '../../base/concurrency.js';
import { type ErrorCode, invalidField, ServiceError } from '../../base/errors/catalogue.js';
import { bytesPerMegabyte, minuteMs, secondMs } from '../../base/units.js';
import { runAsCaller } from '../../database/fairness.js';
import { fingerprintOf } from '../../http/idempotency/keyed-requests.js';
import type { IdempotencyKeys, KeptAnswer } from '../../http/idempotency/keys.js';
import type { SentBody } from '../../http/operation.js';
import { writeJson } from '../../http/streamed-response.js';
import type { UploadStaging } from '../../http/upload.js';
import type { UploadFields } from '../images/upload/schemas.js';
import type { ImageOwner, Uploads } from '../images/upload/uploads.js';
import type { Usage } from '../quota/usage.js';
import { type Announcement, ofLink, readAnnouncement } from './announcement.js';
import type { UploadRow } from './entity.js';
import { ArrivingFile } from './file.js';
import { Storing, type StoringParts } from './storing.js';
import type { Turn, UploadTurns } from './turns.js';
import * as queries from './uploads.sql.js';

/** How long a client may be silent before its request ends, in milliseconds. */
const silenceMs = 10 * secondMs;

/** Longest time that one request is received: shorter than what the server allows (server.ts). */
const receiveMs = 10 * minuteMs;

/** Bytes that a request brings before they are saved, in case that this node dies. */
const pieceBytes = 8 * bytesPerMegabyte;

/** Over a slow line, they are saved after so many milliseconds, if they are not too few for an object. */
const pieceMs = 5 * secondMs;
const fewBytes = bytesPerMegabyte / 8;

/** How long a sum of announced bytes is used, in milliseconds. */
const sumMs = secondMs;

/** Uploads that the job takes up per statement. */
const batchSize = 100;

interface ResumableParts extends StoringParts {
  readonly uploads: Uploads;
  readonly usage: Usage;
  readonly turns: UploadTurns;
  readonly keys: IdempotencyKeys;
  readonly staging: UploadStaging;
  /** Open uploads that a user may have. */
  readonly maxOpen: number;
  /** Whether pieces take up space on the disk of this node. */
  readonly isLocal: () => boolean;
}

/** Whose upload it is. */
export interface UploadOwner extends ImageOwner {
  /** The link whose visitor sends it, into its folder. */
  readonly link?: { readonly id: string; readonly folderId: string | null };
}

/** To whom requests are charged. */
const callerOf = ({ userId, link }: UploadOwner): string => (link ? guestsOf(userId) : userId);

/** What a client wants to upload. */
interface NewUpload {
  readonly length: number;
  readonly metadata: string | null;
  /** Idempotency-Key. */
  readonly key: string | undefined;
}

interface CreatedUpload {
  readonly upload: UploadRow;
  /** Whether an earlier request with the same key has opened it. */
  readonly replayed: boolean;
}

/** Bytes that a request brings. */
export interface SentBytes {
  readonly offset: number;
  /** SHA-256 that they must have; they are then taken as a whole or not at all. */
  readonly checksum: Buffer | undefined;
  readonly body: SentBody;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Uploads that resume where they broke off (docs/adr/0019). */
export class ResumableUploads {
  readonly #storing: Storing;
  #outstanding: { readonly bytes: Promise<number>; readonly at: number } | undefined;

  constructor(private readonly parts: ResumableParts) {
    this.#storing = new Storing(parts);
  }

  /**
   * Opens an upload; a repeat with the same key finds the one that was opened first,
   * unless that has ended.
   * @throws ServiceError for what would be refused at the end, as far as it is known.
   */
  async create(owner: UploadOwner, { key, length, ...sent }: NewUpload): Promise<CreatedUpload> {
    const metadata = owner.link ? ofLink(owner.link.id, sent.metadata) : sent.metadata;
    const announced = { length, metadata };
    const read = readAnnouncement(metadata, this.parts.clock);
    if (!owner.link && read.target.kind === 'request') {
      throw invalidField('Upload-Metadata', 'names of fields of an upload');
    }
    const opening = (): Promise<UploadRow> =>
      this.#open(owner, announced).catch((error: unknown) =>
        this.parts.uploads.refused(owner, error),
      );
    if (key === undefined) return { upload: await opening(), replayed: false };
    const { keys, db } = this.parts;
    const id = { owner: owner.link?.id ?? owner.userId, key };
    const input = { ...read, length };
    const fingerprint = fingerprintOf({ operation: 'createUpload', path: {}, input });
    const isSame = (kept: KeptAnswer): boolean => kept.fingerprint.equals(fingerprint);
    return keys.runOnce<CreatedUpload>(
      id,
      async (replaces) => {
        let opened!: UploadRow;
        const keyed = { id, fingerprint, begin: 'with first transaction', replaces } as const;
        await keys.record(keyed, async (writer) => {
          opened = await opening();
          await writeJson({ id: opened.id }, writer);
        });
        return { upload: opened, replayed: false };
      },
      async (kept) => {
        if (!isSame(kept)) throw new ServiceError('idempotency_key_reused');
        return { upload: await this.#find(owner.userId, await uploadIn(kept)), replayed: true };
      },
      async (kept) => {
        const found = await queries.selectUpload(db, owner.userId, await uploadIn(kept));
        return !isSame(kept) || (found !== undefined && found.state !== 'ended');
      },
    );
  }

  async #open(
    owner: UploadOwner,
    { length, metadata }: Omit<NewUpload, 'key'>,
  ): Promise<UploadRow> {
    const { db, uploads, usage, clock, hours, maxOpen } = this.parts;
    const { platformId, userId, link } = owner;
    const { target } = readAnnouncement(metadata, clock);
    // Of a user's open uploads, those through links have a share.
    const most = shareOf(callerOf(owner), maxOpen);
    await this.#assertDisk(length);
    return usage.platformLimits.retrying(() =>
      db.transaction(async (tx) => {
        await usage.reserve(tx, userId, length, target.kind === 'edit' ? 0 : 1);
        if ((await queries.countOpen(tx, userId, maxOpen)) >= maxOpen) throw tooMany(maxOpen);
        if (link && (await queries.countOpen(tx, userId, most, true)) >= most) throw tooMany(most);
        if (target.kind === 'edit') await uploads.assertEditable(userId, target.imageId, tx);
        else await uploads.assertCreatable(tx, userId, fieldsOf(target, link));
        const upload = { id: uuidv7(), platformId, userId, length, metadata };
        return queries.insertUpload(tx, upload, hours.open);
      }),
    );
  }

  /** @throws ServiceError `unavailable` unless what is announced fits on the disk. */
  async #assertDisk(length: number): Promise<void> {
    const { staging, isLocal, db } = this.parts;
    const now = performance.now();
    if (isLocal() && now - (this.#outstanding?.at ?? -Infinity) > sumMs) {
      this.#outstanding = { bytes: queries.sumOutstanding(db), at: now };
    }
    const others = isLocal() ? ((await this.#outstanding?.bytes) ?? 0) : 0;
    await staging.disk.assertFree(length + others);
  }

  /**
   * The upload as far as it is durable, once no request writes to it; what is complete becomes an image.
   * @throws ServiceError `upload_not_found`, `upload_ended`, `upload_locked`, `unavailable`.
   */
  async state(owner: UploadOwner, id: string, signal: AbortSignal): Promise<UploadRow> {
    const { userId } = owner;
    const known = await this.#find(userId, id);
    if (known.state !== 'receiving') return known;
    return this.parts.turns.run(id, callerOf(owner), signal, async (turn) =>
      this.#settled(await this.#find(userId, id), turn),
    );
  }

  /** The same without waiting. @returns whether it is becoming an image, beside it. */
  async peek(
    { userId }: ImageOwner,
    id: string,
  ): Promise<{ upload: UploadRow; processing: boolean }> {
    const { turns } = this.parts;
    const known = await this.#find(userId, id);
    if (!isComplete(known)) return { upload: known, processing: turns.isProcessing(id) };
    const settled = await turns.tryRun(id, async (turn) =>
      this.#settled(await this.#find(userId, id), turn),
    );
    return { upload: settled ?? known, processing: settled === undefined };
  }

  /** Stores or refuses what is complete. @throws ServiceError `unavailable`. */
  async #settled(upload: UploadRow, turn: Turn): Promise<UploadRow> {
    if (!isComplete(upload)) return upload;
    turn.processing = true;
    try {
      return await this.#storing.finishSaved(upload);
    } catch (error) {
      if (error instanceof ServiceError && error.status < 500) {
        return this.#find(upload.userId, upload.id);
      }
      throw error;
    }
  }

  /**
   * Takes bytes of a file: with the last one, the file is stored as an image.
   * @returns the upload as far as it is durable.
   * @throws ServiceError `upload_not_found`, `upload_ended`, `upload_locked`, `wrong_offset`,
   *   `upload_too_large`, `checksum_mismatch`; of any upload, once it is refused.
   */
  async receive(owner: UploadOwner, id: string, sent: SentBytes): Promise<UploadRow> {
    const { userId } = owner;
    assertOpen(await this.#find(userId, id), sent);
    return this.parts.turns.run(id, callerOf(owner), sent.signal, async (turn) => {
      const upload = await this.#find(userId, id);
      if (assertOpen(upload, sent)) return upload;
      if (sent.offset !== upload.received) throw wrongOffset(upload);
      const bytes = sent.body.bytes ?? 0;
      if (bytes > upload.length - upload.received) throw tooManyBytes(upload);
      if (isComplete(upload)) {
        turn.processing = true;
        return this.#storing.finishSaved(upload);
      }
      await this.parts.staging.disk.assertFree(bytes);
      return ArrivingFile.with(this.parts.staging, upload.received, (file) =>
        this.#take(upload, file, sent, turn),
      );
    });
  }

  async #take(
    upload: UploadRow,
    file: ArrivingFile,
    sent: SentBytes,
    turn: Turn,
  ): Promise<UploadRow> {
    let saved = upload;
    let savedAt = performance.now();
    // Of a body whose length or checksum may prove wrong, nothing is taken before its end.
    const isSure = sent.body.bytes !== undefined && sent.checksum === undefined;
    const limits = { bytes: upload.length - upload.received, ms: silenceMs };
    try {
      await withDeadline(turn.ended, receiveMs, async (until) => {
        turn.waitsForClient(true);
        for await (const chunk of sent.body.read({ ...limits, until })) {
          turn.waitsForClient(false);
          await file.add(chunk);
          const bytes = file.end - saved.received;
          const isLong = performance.now() - savedAt >= pieceMs && bytes >= fewBytes;
          if (isSure && (isLong || bytes >= pieceBytes) && file.end < upload.length) {
            saved = await this.#storing.trySave(saved, file);
            savedAt = performance.now();
          }
          turn.waitsForClient(true);
        }
      });
    } catch (error) {
      const isBroken = error instanceof ServiceError && error.code === 'upload_interrupted';
      if (!isBroken || sent.checksum) throw error;
    }
    turn.waitsForClient(false);
    if (sent.checksum && !file.hash.equals(sent.checksum)) {
      throw new ServiceError('checksum_mismatch');
    }
    if (file.end === upload.length) {
      turn.processing = true;
      return this.#storing.finish(saved, file);
    }
    return file.end > saved.received ? this.#storing.saveLast(saved, file) : saved;
  }

  /** Ends an upload. An image that it became stays. @returns the upload as it was. */
  async terminate(owner: UploadOwner, id: string, signal: AbortSignal): Promise<UploadRow> {
    const { userId } = owner;
    await this.#find(userId, id);
    return this.parts.turns.run(id, callerOf(owner), signal, async () => {
      const upload = await this.#find(userId, id);
      await this.#storing.end(upload);
      return upload;
    });
  }

  /**
   * Takes up the uploads that are complete and that nobody is storing: their node died, or something was
   * unavailable. @returns how many became an image, were refused, or failed once more.
   */
  async finishComplete(signal: AbortSignal) {
    const counts = { stored: 0, refused: 0, failed: 0 };
    const { db, turns } = this.parts;
    for (let after: string | undefined = NIL; after !== undefined && !signal.aborted;) {
      const batch = await queries.selectComplete(db, after, batchSize);
      for (const { id, userId } of batch) {
        if (signal.aborted) break;
        const finish = async (turn: Turn): Promise<void> => {
          const { state } = await this.#settled(await this.#find(userId, id), turn);
          if (state === 'stored' || state === 'refused') counts[state] += 1;
        };
        await runAsCaller(userId, () => turns.tryRun(id, finish)).catch(() => (counts.failed += 1));
      }
      after = batch.length < batchSize ? undefined : batch.at(-1)?.id;
    }
    return counts;
  }

  /** @throws ServiceError `upload_not_found`, `upload_ended`. */
  async #find(userId: string, id: string): Promise<UploadRow> {
    const upload = isUuid(id) ? await queries.selectUpload(this.parts.db, userId, id) : undefined;
    if (!upload) throw new ServiceError('upload_not_found');
    if (upload.state === 'ended') throw new ServiceError('upload_ended');
    return upload;
  }
}

/** The id of the upload that a keyed request opened. */
async function uploadIn(kept: KeptAnswer): Promise<string> {
  let text = '';
  for await (const piece of kept.pieces()) text += piece;
  return (JSON.parse(text) as { readonly id: string }).id;
}

/** Fields that say where a file goes, as far as they are known at the beginning. */
const fieldsOf = (
  target: Exclude<Announcement['target'], { kind: 'edit' }>,
  link: UploadOwner['link'],
): UploadFields =>
  target.kind === 'image'
    ? target.fields
    : { ...target.fields, folder_id: link?.folderId, upload_type: 'request' };

const isComplete = ({ state, received, length }: UploadRow): boolean =>
  state === 'receiving' && received === length;

/**
 * Whether the upload is stored, and nothing is sent to it.
 * @throws ServiceError why it takes no more bytes, if it does not.
 */
function assertOpen(upload: UploadRow, { offset, body }: SentBytes): boolean {
  if (upload.state === 'refused') throw refusalOf(upload);
  if (upload.state !== 'stored') return false;
  if (offset === upload.length && body.bytes === 0) return true;
  throw wrongOffset(upload);
}

/** The error with which an upload was refused. */
export function refusalOf({ error }: UploadRow): ServiceError {
  const { code, message, field, details } = error as {
    readonly code: ErrorCode;
    readonly message: string;
    readonly field?: string;
    readonly details?: unknown;
  };
  return new ServiceError(code, { message, details, ...(field !== undefined && { field }) });
}

const wrongOffset = ({ received }: UploadRow): ServiceError =>
  new ServiceError('wrong_offset', {
    field: 'Upload-Offset',
    message: `The upload continues at offset ${received}.`,
    details: { offset: received },
  });

const tooManyBytes = ({ length, received }: UploadRow): ServiceError =>
  new ServiceError('upload_too_large', {
    message: `The request has more bytes than the ${length - received} that the upload still lacks (Upload-Length: ${length}).`,
  });

const tooMany = (max: number): ServiceError =>
  new ServiceError('too_many_open_uploads', {
    message: `A user can have at most ${max} unfinished uploads; finish or delete some.`,
    details: { max },
  });
