import { setTimeout as delay } from 'node:timers/promises';
import { keyStates, versionBatches } from '../../library/reclaim/version-objects.js';
import type { VersionRow } from '../../library/reclaim/version-objects.js';
import { objectsOf } from '../../store/object-key.js';
import { toMegabytes } from '../../base/units.js';
import type { Finding, Kind } from './findings.js';
import { unlessDeleted } from './objects.js';
import { readObject } from './read-object.js';
import {
  advanceRound,
  deleteFindingsAbout,
  endRound,
  insertFindings,
  selectFoundKeys,
  selectRound,
} from './record.sql.js';
import type { VerifiedCounts } from './record.sql.js';
import { throttled } from './run.js';
import type { Run } from './run.js';

/** Versions between two records of the progress; a killed run reads at most these again. */
const batchSize = 20;

export interface Reading {
  /** Maximum bytes to read; the current version is finished even beyond it. */
  readonly budget: number;
  /** Pause after each version, as a multiple of the time that reading it took. */
  readonly rest: number;
}

interface ContentCounts extends VerifiedCounts {
  /** Whether the last version was reached, which ends the round. */
  readonly roundEnded: boolean;
}

/**
 * Reads the objects of versions in the order of their ids, from where the last run stopped, until
 * the budget is used or each has been read once. Findings are kept until the object is checked
 * again.
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
      await deleteFindingsAbout(
        tx,
        done.flatMap((version) => objectsOf(version).map(({ key }) => key)),
      );
      await insertFindings(tx, found);
      await advanceRound(tx, last.versionId, more);
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
  const states = await keyStates(session, await selectFoundKeys(session, contentKinds));
  for (const { key, version } of states) {
    signal.throwIfAborted();
    const object = version && objectsOf(version).find((one) => one.key === key);
    const found = object && (await readObject(store, version, object)).finding;
    if (found) findings.add(found);
    else await deleteFindingsAbout(session, [key]);
  }
}
