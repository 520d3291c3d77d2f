import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { toMegabytes } from '../../base/units.js';
import {
  keyStates,
  versionBatches,
  type VersionRow,
} from '../../library/reclaim/version-objects.js';
import { objectsOf, type VersionObject } from '../../store/object-key.js';
import type { ObjectStore } from '../../store/port.js';
import { type Finding, type Kind, objectFinding, reasonOf } from './findings.js';
import { unlessDeleted, sizeFits, sizeOf } from './objects.js';
import * as queries from './record.sql.js';
import type { VerifiedCounts } from './record.sql.js';
import { throttled, type Run } from './run.js';

/** Versions between two records of the progress; a killed run reads at most these again. */
const batchSize = 20;

export interface Reading {
  /** Maximum bytes to read; the current version is finished even beyond it. */
  readonly budget: number;
  /** Pause after each version, as a multiple of the time that reading it took. */
  readonly rest: number;
}

/**
 * Reads the objects of versions in the order of their ids, from where the last run stopped, until
 * the budget is used or each has been read once. Findings are kept until the object is checked
 * again. @returns also whether the last version was reached, which ends the round.
 */
export async function checkContents(run: Run, reading: Reading) {
  const began = (await queries.selectRound(run.session)).upTo ?? undefined;
  const reader = new Reader(run, reading);
  const finished = await reader.read(began, undefined);
  if (finished) {
    await queries.endRound(run.session);
    if (began !== undefined) await reader.read(undefined, began);
  }
  return { ...reader.counts, roundEnded: finished };
}

class Reader {
  readonly counts = { versions: 0, objects: 0, bytes: 0 };
  readonly #report: ReturnType<typeof throttled>;

  constructor(
    private readonly run: Run,
    private readonly reading: Reading,
  ) {
    this.#report = throttled(run.report);
  }

  /** Reads the versions between two ids. @returns false if the budget was used before the end. */
  async read(after: string | undefined, upTo: string | undefined): Promise<boolean> {
    const { session } = this.run;
    for await (const batch of versionBatches(session, { after, limit: batchSize })) {
      const due = batch.filter(({ versionId }) => upTo === undefined || versionId <= upTo);
      const before = { ...this.counts };
      const found: Finding[] = [];
      const done: VersionRow[] = [];
      try {
        for (const version of due) {
          if (this.#spent) return false;
          this.run.signal.throwIfAborted();
          found.push(...(await this.#readVersion(version)));
          done.push(version);
        }
      } finally {
        await this.#record(done, found, before);
      }
      if (due.length < batch.length) return true;
    }
    return true;
  }

  /** At least one version is read, so that even a small budget makes progress. */
  get #spent(): boolean {
    const { bytes, versions } = this.counts;
    return versions > 0 && bytes >= this.reading.budget;
  }

  async #readVersion(version: VersionRow): Promise<readonly Finding[]> {
    const { session, store, signal } = this.run;
    const began = performance.now();
    const objects = objectsOf(version);
    const read = await Promise.all(objects.map((object) => readObject(store, version, object)));
    this.counts.versions += 1;
    this.counts.objects += objects.length;
    for (const { bytes } of read) this.counts.bytes += bytes;
    this.#report(
      () => `${Math.round(toMegabytes(this.counts.bytes)).toLocaleString('en')} MB read`,
    );
    const wrong = await unlessDeleted(
      session,
      version,
      read.flatMap(({ finding }) => finding ?? []),
    );
    const restMs = (performance.now() - began) * this.reading.rest;
    if (restMs > 0) await delay(restMs, undefined, { signal });
    return wrong;
  }

  /** Records the progress, and replaces the findings about the versions that were read. */
  async #record(
    done: readonly VersionRow[],
    found: readonly Finding[],
    before: Pick<VerifiedCounts, 'versions' | 'bytes'>,
  ): Promise<void> {
    const { session, findings } = this.run;
    const last = done.at(-1);
    if (!last) return;
    const { versions, bytes } = this.counts;
    const more = { versions: versions - before.versions, bytes: bytes - before.bytes };
    for (const one of found) findings.add(one);
    await session.transaction(async (tx) => {
      await queries.deleteFindingsAbout(
        tx,
        done.flatMap((version) => objectsOf(version).map(({ key }) => key)),
      );
      await queries.insertFindings(tx, found);
      await queries.advanceRound(tx, last.versionId, more);
    });
  }
}

const contentKinds: readonly Kind[] = [
  'object_missing',
  'object_size',
  'object_damaged',
  'object_unreadable',
];

/**
 * Reads objects with findings again, independently of the round: findings about restored objects
 * are deleted at once, and the others reported in each run.
 */
export async function recheckFindings({ session, store, findings, signal }: Run): Promise<void> {
  const states = await keyStates(session, await queries.selectFoundKeys(session, contentKinds));
  for (const { key, version } of states) {
    signal.throwIfAborted();
    const object = version && objectsOf(version).find((one) => one.key === key);
    const found = object && (await readObject(store, version, object)).finding;
    if (found) findings.add(found);
    else await queries.deleteFindingsAbout(session, [key]);
  }
}

/** The content of an object. */
interface Contents {
  readonly bytes: number;
  readonly hash: Buffer;
  readonly head: Buffer;
  readonly tail: Buffer;
}

/**
 * Reads an object and checks its bytes. @throws ServiceError `unavailable` if the whole store is
 * unavailable.
 */
async function readObject(
  store: Pick<ObjectStore, 'get' | 'check'>,
  version: VersionRow,
  object: VersionObject,
): Promise<{ bytes: number; finding: Finding | undefined }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const contents = await contentsOf(store, object.key);
      return { bytes: contents?.bytes ?? 0, finding: judge(version, object, contents) };
    } catch (error) {
      await store.check();
      // The connection may just have been lost.
      if (attempt === 1) continue;
      const reason = reasonOf(error);
      return { bytes: 0, finding: objectFinding('object_unreadable', object.key, { reason }) };
    }
  }
}

function judge(
  version: VersionRow,
  { role, key }: VersionObject,
  contents: Contents | undefined,
): Finding | undefined {
  const expected = sizeOf(version, role);
  if (!contents) return objectFinding('object_missing', key, { expected });
  const { bytes, hash, head, tail } = contents;
  if (!sizeFits(expected, bytes))
    return objectFinding('object_size', key, { expected, found: bytes });
  const right = role === 'original' ? hash.equals(version.hash) : isWhole(key, head, tail, bytes);
  if (right) return undefined;
  const reason =
    role === 'original'
      ? `SHA-256 ${hash.toString('hex')}, not ${version.hash.toString('hex')}`
      : 'its beginning and end do not match its format';
  return objectFinding('object_damaged', key, { reason });
}

async function contentsOf(
  store: Pick<ObjectStore, 'get'>,
  key: string,
): Promise<Contents | undefined> {
  const body = await store.get(key);
  if (!body) return undefined;
  const hash = createHash('sha256');
  let bytes = 0;
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  for await (const chunk of body.stream as Readable & AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    if (head.length < endBytes) head = Buffer.concat([head, chunk]).subarray(0, endBytes);
    tail = Buffer.concat([tail, chunk.subarray(-endBytes)]).subarray(-endBytes);
  }
  return { bytes, hash: hash.digest(), head, tail };
}

/** Bytes at either end of a file that show whether it is whole. */
export const endBytes = 12;

const pngEnd = Buffer.from('IEND\xae\x42\x60\x82', 'latin1');

/**
 * Whether the beginning and end of a file match its format; a WebP has its length in the header.
 */
const formats: ReadonlyMap<string, (head: Buffer, tail: Buffer, bytes: number) => boolean> =
  new Map([
    ['jpg', (head, tail) => head.readUInt16BE(0) === 0xffd8 && tail.readUInt16BE(10) === 0xffd9],
    [
      'png',
      (head, tail) =>
        head.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n' && tail.subarray(4).equals(pngEnd),
    ],
    [
      'webp',
      (head, _tail, bytes) =>
        head.toString('latin1', 0, 4) === 'RIFF' &&
        head.toString('latin1', 8, 12) === 'WEBP' &&
        head.readUInt32LE(4) + 8 === bytes,
    ],
  ]);

/**
 * Whether beginning, end, and length of a rendition match its format: nothing more can be verified
 * without a recorded hash.
 * @param head the first {@link endBytes} bytes; `tail` the last ones.
 */
export function isWhole(key: string, head: Buffer, tail: Buffer, bytes: number): boolean {
  const check = formats.get(key.slice(key.lastIndexOf('.') + 1));
  if (!check) return bytes > 0;
  return bytes >= endBytes && check(head, tail, bytes);
}
