import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { NIL } from 'uuid';
import { fileStoreError } from '../../base/os/files.js';
import type { WallClock } from '../../base/time.js';
import { onlyValue, type Queryable, row, rows } from '../../database/sql.js';
import { type CameraData, formatOfExtension, type MetadataReader } from '../../imaging/port.js';
import { objectKey } from '../../store/object-key.js';
import type { ObjectStore } from '../../store/port.js';
import { underUserLock } from '../quota/usage.js';
import { takenAt } from './upload/received.js';

// Images whose files were stored before what the camera knew was read from them (docs/adr/0020).

/** An image of which some columns have not been read from its file yet. */
interface UnreadImage {
  readonly id: string;
  readonly platformId: string;
  readonly userId: string;
  /** Of the upload. */
  readonly extension: string;
  readonly bytes: number;
}

/** Images fetched at a time. */
const pageSize = 200;

const selectUnread = (db: Queryable, after: string): Promise<UnreadImage[]> =>
  rows(
    db,
    `SELECT id, platform_id AS "platformId", user_id AS "userId", original_extension AS extension,
            original_bytes AS bytes
     FROM images WHERE unread_fields IS NOT NULL AND id > $1 ORDER BY id LIMIT ${pageSize}`,
    [after],
  );

/** How many images are left; counting stops at the limit, if any. */
export const countUnread = (db: Queryable, limit: number | null = null): Promise<number> =>
  onlyValue(
    db,
    `SELECT count(*)::integer
     FROM (SELECT FROM images WHERE unread_fields IS NOT NULL LIMIT $1) AS unread`,
    [limit],
  );

/** Columns that are filled, with the types of their values. */
const filled = {
  direction: 'float8',
  altitude_m: 'float8',
  accuracy_m: 'float8',
  camera: 'text',
  taken_at: 'timestamptz',
} as const;

const columns = Object.entries(filled).map(([name, type], n) => {
  const value = `coalesce(i.${name}, $${n + 3}::${type})`;
  return {
    name,
    value: `CASE WHEN '${name}' = ANY (i.unread_fields) THEN ${value} ELSE i.${name} END`,
  };
});
const list = (of: (one: (typeof columns)[number]) => string): string => columns.map(of).join(', ');

// What has a value, or what a client has said, stays.
const fillSql = `
  UPDATE images i
  SET ${list(({ name, value }) => `${name} = ${value}`)}, unread_fields = NULL,
      updated_at = CASE WHEN (${list(({ name }) => `i.${name}`)}) IS DISTINCT FROM (${list(({ value }) => value)})
        THEN greatest(now(), i.updated_at) ELSE i.updated_at END
  FROM (SELECT updated_at FROM images WHERE id = $1) AS before
  WHERE i.id = $1 AND i.user_id = $2 AND i.unread_fields IS NOT NULL
  RETURNING i.updated_at > before.updated_at AS changed`;

interface ReadUnreadOptions {
  readonly db: DataSource | EntityManager;
  readonly store: Pick<ObjectStore, 'get'>;
  readonly imaging: MetadataReader;
  /** Folder for the file that is being read. */
  readonly folder: string;
  readonly clock: WallClock;
  /** Bytes to read; the last file may exceed them. */
  readonly budget: number;
  /** Pauses this many times as long as it reads. */
  readonly rest: number;
  /** Stops the run after the current file. */
  readonly signal: AbortSignal;
}

interface ReadUnread {
  /** Images that were read, or whose file is missing. */
  images: number;
  /** Of these, images that were changed. */
  changed: number;
  missing: number;
  /** Images whose file could not be read, and is tried again in the next run. */
  failed: number;
  bytes: number;
}

/** Failures in a row after which it is not the files that are at fault. */
const maxFailures = 5;

/**
 * Reads files of images one after the other, and fills in what is empty and was never cleared. What was
 * read stays so, whenever the run ends; the next one goes on.
 * @throws ServiceError `unavailable` of the store or the imaging process, when several files in a row
 *   fail.
 */
export async function readUnread(options: ReadUnreadOptions): Promise<ReadUnread> {
  const { db, budget, rest, signal } = options;
  const done: ReadUnread = { images: 0, changed: 0, missing: 0, failed: 0, bytes: 0 };
  let failures = 0;
  for (let after: string = NIL; ;) {
    const images = await selectUnread(db, after);
    for (const image of images) {
      if (signal.aborted || done.bytes >= budget) return done;
      const began = performance.now();
      try {
        await readOne(options, image, done);
        failures = 0;
      } catch (error) {
        done.failed += 1;
        failures += 1;
        if (failures === maxFailures) throw error;
      }
      after = image.id;
      const pauseMs = (performance.now() - began) * rest;
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    if (images.length < pageSize) return done;
  }
}

async function readOne(
  options: ReadUnreadOptions,
  image: UnreadImage,
  done: ReadUnread,
): Promise<void> {
  const known = await metadataOf(options, image);
  const { direction, altitude, accuracy, camera } = known ?? {};
  const values = [direction, altitude, accuracy, camera, takenAt(known ?? {}, options.clock)];
  const saved = await underUserLock(options.db, image.userId, (tx) =>
    row<{ changed: boolean }>(tx, fillSql, [
      image.id,
      image.userId,
      ...values.map((value) => value ?? null),
    ]),
  );
  done.images += 1;
  if (saved?.changed) done.changed += 1;
  if (!known) done.missing += 1;
  else done.bytes += image.bytes;
}

/** @returns undefined if the file is missing. */
async function metadataOf(
  { store, imaging, folder }: ReadUnreadOptions,
  { id, platformId, userId, extension }: UnreadImage,
): Promise<CameraData | undefined> {
  const key = objectKey({ platformId, userId, imageId: id, versionId: id }, 'original', extension);
  const format = formatOfExtension(extension);
  const body = format && (await store.get(key));
  if (!body) return undefined;
  const own = join(folder, randomUUID());
  const path = join(own, 'original');
  try {
    await mkdir(own, { mode: 0o700 }).catch((error: unknown) => {
      body.stream.destroy();
      throw error;
    });
    await pipeline(body.stream, createWriteStream(path, { mode: 0o600 }));
    return await imaging.readMetadata(path, format);
  } catch (error) {
    throw fileStoreError(error);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}
