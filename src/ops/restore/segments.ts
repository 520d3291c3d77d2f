import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MasterKey } from '../../http/auth/secrets.js';
import { failure } from '../../base/errors/operator.js';
import type { DirectoryRepository } from '../backup/directory-repository.js';
import { copyVerified } from '../backup/repository.js';
import {
  readAuthenticProgress,
  readSegmentSum,
  segmentBytes,
  segmentName,
  segmentsOf,
  stretchFile,
} from '../wal/archive.js';
import type { Progress, Stretch } from '../wal/archive.js';

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
    const sha256 = await readSegmentSum(repository, { id: stretch.id, name }, key);
    if (unauthenticated) await copyBeginning(repository, path, copy, segmentBytes);
    else if (sha256 !== undefined) await copyVerified(repository, path, { copy, sum: { sha256 } });
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
  throw failure(`${path} in ${repository.name} is not what was written.`, { setting: 'DIR' });
}

/** @returns the hash of the first bytes; the copy has the size of a segment. */
async function copyBeginning(
  repository: DirectoryRepository,
  path: string,
  copy: string,
  bytes: number,
): Promise<string> {
  const source = (await repository.read(path)) as AsyncIterable<Buffer> | undefined;
  if (!source) throw failure(`${path} is missing in ${repository.name}.`, { setting: 'DIR' });
  const hash = createHash('sha256');
  async function* beginning(): AsyncGenerator<Buffer> {
    let left = bytes;
    for await (const chunk of source ?? []) {
      const part = chunk.subarray(0, left);
      hash.update(part);
      left -= part.length;
      yield part;
      if (left === 0) return;
    }
  }
  await pipeline(beginning, createWriteStream(copy, { mode: 0o600, flags: 'wx' }));
  await truncate(copy, segmentBytes);
  return hash.digest('hex');
}
