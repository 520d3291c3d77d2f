import { setTimeout as delay } from 'node:timers/promises';
import { versionBatches } from '../reclaim/version-objects.js';
import type { VersionRow } from '../reclaim/version-objects.js';
import { objectsOf } from '../store/object-key.js';
import { toMegabytes } from '../units.js';
import { ifStillThere } from './check-version.js';
import { occasionally } from './progress.js';
import { advanceRound, deleteFindingsAbout, endRound, insertFindings } from './queries.js';
import { selectRound } from './queries.js';
import type { Counts } from './queries.js';
import type { Finding } from './findings.js';
import { readObject } from './read-object.js';
import type { Run } from './run.js';

/** Versions between two notes of how far it came: what is read again after a kill. */
const batchSize = 20;

export interface Reading {
  /** Bytes to read at most; after them, the version under way is finished. */
  readonly budget: number;
  /** Time to rest after each version, as a multiple of the time that reading it took. */
  readonly rest: number;
}

export interface ContentCounts extends Counts {
  /** Whether it came to the last version, so that all have been read once more. */
  readonly roundEnded: boolean;
}

/**
 * Reads the objects of versions in the order of their ids, from where the last run stopped, until the
 * budget is used or each has been read once. What it finds is kept until the object is looked at again.
 */
export async function checkContents(run: Run, reading: Reading): Promise<ContentCounts> {
  const began = (await selectRound(run.session)).upTo ?? undefined;
  const reader = new Reader(run, reading);
  const finished = await reader.read(began, undefined);
  if (finished) {
    await endRound(run.session);
    if (began !== undefined) await reader.read(undefined, began);
  }
  return { ...reader.counts, roundEnded: finished };
}

class Reader {
  readonly counts = { versions: 0, objects: 0, bytes: 0 };
  readonly #tell: ReturnType<typeof occasionally>;

  constructor(
    private readonly run: Run,
    private readonly reading: Reading,
  ) {
    this.#tell = occasionally(run.report);
  }

  /** Reads the versions between two ids. @returns false if the budget ended before them. */
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
        await this.#note(done, found, before);
      }
      if (due.length < batch.length) return true;
    }
    return true;
  }

  /** So that even a small budget gets on. */
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
    this.#tell(() => `${Math.round(toMegabytes(this.counts.bytes)).toLocaleString('en')} MB read`);
    const wrong = await ifStillThere(
      session,
      version,
      read.flatMap(({ finding }) => finding ?? []),
    );
    const restMs = (performance.now() - began) * this.reading.rest;
    if (restMs > 0) await delay(restMs, undefined, { signal });
    return wrong;
  }

  /** Notes how far it came, and what is known now of what it has read. */
  async #note(
    done: readonly VersionRow[],
    found: readonly Finding[],
    before: Pick<Counts, 'versions' | 'bytes'>,
  ): Promise<void> {
    const { session, findings } = this.run;
    const last = done.at(-1);
    if (!last) return;
    const { versions, bytes } = this.counts;
    const more = { versions: versions - before.versions, bytes: bytes - before.bytes };
    for (const one of found) findings.add(one);
    await session.transaction(async (tx) => {
      await deleteFindingsAbout(
        tx,
        done.flatMap((version) => objectsOf(version).map(({ key }) => key)),
      );
      await insertFindings(tx, found);
      await advanceRound(tx, last.versionId, more);
    });
  }
}
