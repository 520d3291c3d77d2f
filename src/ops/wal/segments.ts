import { createWriteStream } from 'node:fs';
import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { failure } from '../../base/errors/operator.js';
import { bytesPerMegabyte } from '../../base/units.js';
import { withSuperuser, type Superuser } from '../../database/postgres/connect.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import type { DirectoryRepository } from '../backup/directory-repository.js';
import { sumOfFile, Summing, copyVerified, readJson, writeJson } from '../backup/repository.js';
import {
  readAuthenticProgress,
  segmentsOf,
  stretchFile,
  type Progress,
  type Stretch,
} from './archive.js';

const sumSchema = z.object({ sha256: z.string(), mac: z.string() });

/** The size of a segment: the default of initdb. */
export const segmentBytes = 16 * bytesPerMegabyte;

/** Names of whole segments. */
const segmentName = /^[0-9A-F]{24}$/;

const sumText = (name: string, sha256: string): string => JSON.stringify([name, sha256]);

/** The hash of a whole segment; undefined unless the installation with this key recorded it. */
async function readSum(
  repository: DirectoryRepository,
  { id, name }: { readonly id: string; readonly name: string },
  key: MasterKey,
): Promise<string | undefined> {
  const found = await readJson(repository, stretchFile(id, `sums/${name}.json`));
  const { data } = sumSchema.safeParse(found);
  const text = sumText(name, data?.sha256 ?? '');
  return key.isRecordMac(`wal segment ${id}`, text, data?.mac) ? data?.sha256 : undefined;
}

function writeSum(
  repository: DirectoryRepository,
  { id, name, sha256 }: { readonly id: string; readonly name: string; readonly sha256: string },
  key: MasterKey,
): Promise<void> {
  const mac = key.recordMac(`wal segment ${id}`, sumText(name, sha256));
  return writeJson(repository, stretchFile(id, `sums/${name}.json`), { sha256, mac });
}

interface Sealing {
  readonly repository: DirectoryRepository;
  readonly superuserUrl: string;
  readonly masterKey: MasterKey;
}

/** In which segment a position is, and how many bytes of it are before that. */
const segmentAt = `
  SELECT file_name AS name, file_offset AS bytes FROM pg_walfile_name_offset($1::pg_lsn)`;

/** The hash of the beginning of a segment, null if the server no longer has it. */
const hashOfSegment = `
  SELECT encode(sha256(pg_read_binary_file('pg_wal/' || $1, 0, $2, true)), 'hex') AS sha256`;

/**
 * Records the hash of each segment that has become whole, and of the one being received up to a
 * position. Both are read from the server: others may be able to write to the archive. Only of a
 * segment that the server has already removed, the archived file is read.
 */
export function sealSegments(
  { repository, superuserUrl, masterKey }: Sealing,
  id: string,
  position: string,
): Promise<Progress['wal']> {
  return withSuperuser(superuserUrl, async (client) => {
    const folder = segmentsOf(repository, id);
    const sealed: string[] = await readdir(repository.fileAt(stretchFile(id, 'sums/'))).catch(
      () => [],
    );
    for (const name of (await readdir(folder)).sort()) {
      if (!segmentName.test(name) || sealed.includes(`${name}.json`)) continue;
      const sha256 =
        (await hashOf(client, name, segmentBytes)) ?? (await sumOfFile(`${folder}/${name}`)).sha256;
      await writeSum(repository, { id, name, sha256 }, masterKey);
    }
    const found = await client.query<{ name: string; bytes: number }>(segmentAt, [position]);
    const { name = '', bytes = 0 } = found.rows[0] ?? {};
    const sha256 = bytes === 0 ? undefined : await hashOf(client, name, bytes);
    return sha256 === undefined ? undefined : { name, bytes, sha256 };
  });
}

async function hashOf(client: Superuser, name: string, bytes: number): Promise<string | undefined> {
  const { rows } = await client.query<{ sha256: string | null }>(hashOfSegment, [name, bytes]);
  return rows[0]?.sha256 ?? undefined;
}

interface Parts {
  readonly repository: DirectoryRepository;
  /** Whether to take WAL that nothing proves to be of the installation. */
  readonly unauthenticated: boolean;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

interface Placing {
  readonly stretch: Stretch;
  readonly key: MasterKey;
  readonly folder: string;
}

/** Copies the WAL of a stretch whose hashes were recorded with the master key, and no other. */
export async function placeVerifiedSegments(parts: Parts, placing: Placing): Promise<void> {
  const { repository, unauthenticated, report, signal } = parts;
  const { stretch, key, folder } = placing;
  const progress = await readAuthenticProgress(repository, stretch.id, key);
  const left: string[] = [];
  for (const file of (await readdir(segmentsOf(repository, stretch.id))).sort()) {
    signal.throwIfAborted();
    const name = file.replace(/\.partial$/, '');
    if (!segmentName.test(name)) continue;
    const path = stretchFile(stretch.id, `wal/${file}`);
    const copy = join(folder, name);
    const sha256 = await readSum(repository, { id: stretch.id, name }, key);
    if (unauthenticated) await copyBeginning(repository, path, copy, segmentBytes);
    else if (sha256 !== undefined) await copyVerified(repository, path, sha256, copy);
    else if (progress?.wal?.name === name) await copyEnd(repository, path, copy, progress.wal);
    else left.push(name);
  }
  if (left.length > 0) {
    report(
      `Left out, since it was received after the last record made with the master key: WAL ${left.join(', ')}`,
    );
  }
}

/** The rest of the last segment was received later; PostgreSQL takes zeros for its end. */
async function copyEnd(
  repository: DirectoryRepository,
  path: string,
  copy: string,
  { bytes, sha256 }: NonNullable<Progress['wal']>,
): Promise<void> {
  if ((await copyBeginning(repository, path, copy, bytes)) === sha256) return;
  throw failure(`${path} in ${repository.name} is not what was written.`, {
    code: 'damaged',
    setting: 'DIR',
  });
}

/** @returns the hash of the first bytes; the copy has the size of a segment. */
async function copyBeginning(
  repository: DirectoryRepository,
  path: string,
  copy: string,
  bytes: number,
): Promise<string> {
  const source = (await repository.read(path)) as AsyncIterable<Buffer> | undefined;
  if (!source)
    throw failure(`${path} is missing in ${repository.name}.`, { code: 'missing', setting: 'DIR' });
  const summing = new Summing();
  async function* beginning(): AsyncGenerator<Buffer> {
    let left = bytes;
    for await (const chunk of source ?? []) {
      const part = chunk.subarray(0, left);
      summing.add(part);
      left -= part.length;
      yield part;
      if (left === 0) return;
    }
  }
  await pipeline(beginning, createWriteStream(copy, { mode: 0o600, flags: 'wx' }));
  await truncate(copy, segmentBytes);
  return summing.sum().sha256;
}
