import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Home } from '../../base/config/home.js';
import { isFileMissing, replaceFile } from '../../base/os/files.js';
import type { Logger } from '../../base/telemetry/logger.js';
import { lockForTransaction } from '../../database/locks.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import * as sql from './custody.sql.js';
import type { Entry, Leaf, Log } from './custody.sql.js';
import { emptyRoot, privateKeyOf, signNote, verifierKeyOf } from './crypto.js';
import { hashBytes } from './merkle.js';
import { checkpointText, parseCheckpoint } from './notes.js';
import { DamagedLog, Tree } from './tree.js';

// Takes what has changed into the logs of the platforms (docs/adr/0028).

/** Entries taken in, and logs begun, in one transaction. */
const entriesAtOnce = 1_000;
/** Images looked at in one transaction while the logs do not know all. */
const scannedAtOnce = 500;

interface LogParts {
  readonly db: DataSource;
  readonly master: MasterKey;
  readonly home: Home;
  readonly logger: Logger;
  /** Of this installation, for the names of new logs. */
  readonly host: string;
}

export const treeOf = (db: EntityManager | DataSource, log: Pick<Log, 'id' | 'size'>): Tree =>
  new Tree((level, n) => sql.readTile(db, log.id, level, n), log.size);

/** A leaf: that of its image before it, and the digest of what happened; zeros for none. */
const nothing = Buffer.alloc(hashBytes);
export const leafOf = (before: Buffer | null | undefined, digest: Buffer | null): Buffer =>
  Buffer.concat([before ?? nothing, digest ?? nothing]);

/** Names of logs begin with where they are served, without the scheme. */
export function logHost(publicUrl: string | undefined): string {
  if (publicUrl === undefined) return 'imgstore';
  const { host, pathname } = new URL(publicUrl);
  return `${host}${pathname.replaceAll('+', '%2B')}`.replace(/\/+$/, '');
}

/** The logs, on one node at a time. */
export class CustodyLogs {
  /** The newest checkpoint that this node has made of each log, by its origin. */
  readonly #made = new Map<string, string>();

  constructor(private readonly parts: LogParts) {}

  /** Takes in everything that has happened, up to the horizon of the feed, unless another node does. */
  async catchUp(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await sql.hasWork(this.parts.db)) && (await this.#batch()));
  }

  /** @returns whether more may be left. */
  async #batch(): Promise<boolean> {
    const done: Log[] = [];
    const more = await this.parts.db.transaction(async (tx) => {
      if (!(await lockForTransaction(tx, 'custody'))) return false;
      const begun = await sql.selectUnlogged(tx, entriesAtOnce);
      for (const { id, before } of begun) done.push(await this.#begin(tx, id, before));
      const entries = await sql.takeEntries(tx, entriesAtOnce);
      done.push(...(await this.#take(tx, entries)));
      await sql.announce(tx);
      if (Math.max(begun.length, entries.length) === entriesAtOnce) return true;
      const scanned = await sql.scanOn(tx, scannedAtOnce);
      if (!scanned) return false;
      const unknown = await sql.selectUnknown(tx, scanned);
      done.push(...(await this.#take(tx, await sql.selectFound(tx, unknown))));
      return true;
    });
    for (const log of done) await this.#remember(log);
    return more;
  }

  /** @returns the logs that have grown. */
  async #take(tx: EntityManager, entries: readonly Entry[]): Promise<Log[]> {
    const grown: Log[] = [];
    for (const platformId of new Set(entries.map((entry) => entry.platformId))) {
      const own = entries.filter((entry) => entry.platformId === platformId);
      const log = await sql.lockLog(tx, platformId);
      if (log) grown.push(await this.#appendTo(tx, log, own));
      const gone = own.filter(({ kinds }) => !log || kinds === 'deletion');
      await sql.forgetHistory(
        tx,
        gone.map(({ imageId }) => imageId),
      );
    }
    return grown;
  }

  /** Appends to the log, or to a new one, if this one is not what it was. */
  async #appendTo(tx: EntityManager, log: Log, entries: readonly Entry[]): Promise<Log> {
    try {
      if (await this.#isIntact(tx, log)) return await this.#append(tx, log, entries);
    } catch (error) {
      if (!(error instanceof DamagedLog)) throw error;
    }
    this.parts.logger.error('the database has lost what was published of a log; a new one begins', {
      platform: log.platformId,
      log: log.origin,
    });
    await sql.endLog(tx, log);
    const next = await this.#begin(tx, log.platformId, log.checkpoint);
    return this.#append(tx, next, entries);
  }

  /** Signed with the key of this installation, and grown from what this node has published of it. */
  async #isIntact(tx: EntityManager, log: Log): Promise<boolean> {
    if (verifierKeyOf(log.origin, this.#keyOf(log.origin)) !== log.key) return false;
    const made = await this.#madeOf(log.origin);
    return made === undefined || made === log.checkpoint || fits(tx, log, made);
  }

  async #append(tx: EntityManager, log: Log, entries: readonly Entry[]): Promise<Log> {
    const tree = treeOf(tx, log);
    const images = [...new Set(entries.map(({ imageId }) => imageId))];
    const heads = new Map(
      (await sql.selectHeads(tx, images)).map(({ imageId, ...head }) => [imageId, head]),
    );
    const leaves: Leaf[] = [];
    const add = async (entry: Entry): Promise<void> => {
      const before = heads.get(entry.imageId)?.hash;
      if (entry.kinds === 'deletion' && !before) return; // nothing was said of it
      const hash = await tree.append(leafOf(before, entry.digest));
      heads.set(entry.imageId, { logId: log.id, hash });
      leaves.push({ ...entry, leaf: tree.size - 1, hash });
    };
    const unknown = new Set<string>();
    for (const entry of entries) {
      const isWhole = ['upload', 'found', 'deletion'].includes(entry.kinds);
      if (!isWhole && heads.get(entry.imageId)?.logId !== log.id) unknown.add(entry.imageId);
      await add(entry);
    }
    for (const found of await sql.selectFound(tx, [...unknown])) await add(found);
    return this.#save(tx, log, tree, leaves);
  }

  /** Changes nothing unless the tree is sound. */
  async #save(tx: EntityManager, log: Log, tree: Tree, leaves: readonly Leaf[] = []): Promise<Log> {
    const root = (await tree.root()).toString('base64');
    const state = { origin: log.origin, size: tree.size, root };
    const checkpoint = signNote(checkpointText(state), log.origin, this.#keyOf(log.origin));
    const saved = { ...log, size: tree.size, checkpoint };
    await sql.insertHistory(tx, log.id, leaves);
    await sql.saveLog(tx, saved, tree.changed);
    return saved;
  }

  #keyOf(origin: string) {
    return privateKeyOf(this.parts.master.custodySeed(origin));
  }

  /** Begins a log; after another one, its first leaf is the last checkpoint of that. */
  async #begin(tx: EntityManager, platformId: string, before: string | null): Promise<Log> {
    const origin = `${this.parts.host}/log/${platformId}/${uuidv7()}`;
    const key = this.#keyOf(origin);
    const text = checkpointText({ origin, size: 0, root: emptyRoot.toString('base64') });
    const checkpoint = signNote(text, origin, key);
    const made = { platformId, origin, key: verifierKeyOf(origin, key), size: 0, checkpoint };
    const log = await sql.insertLog(tx, made);
    if (before === null) return log;
    const tree = treeOf(tx, log);
    await tree.append(Buffer.from(await this.#newest(before)));
    return this.#save(tx, log, tree);
  }

  async #madeOf(origin: string): Promise<string | undefined> {
    return this.#made.get(origin) ?? readCheckpoint(checkpointFileOf(this.parts.home, origin));
  }

  /** A checkpoint of the database, or a newer one of the same log that this node has made. */
  async #newest(checkpoint: string): Promise<string> {
    const { origin = '', size = 0 } = parseCheckpoint(checkpoint) ?? {};
    const made = await this.#madeOf(origin);
    return made !== undefined && (parseCheckpoint(made)?.size ?? 0) > size ? made : checkpoint;
  }

  /** Whatever becomes of the database, this node knows what it has published. */
  async #remember(log: Log): Promise<void> {
    this.#made.set(log.origin, log.checkpoint);
    const { home } = this.parts;
    await mkdir(home.checkpoints, { recursive: true });
    await replaceFile(checkpointFileOf(home, log.origin), log.checkpoint);
  }
}

/** Where a node has the newest checkpoint that it has made of a log. */
export const checkpointFileOf = (home: Home, origin: string): string =>
  join(home.checkpoints, origin.slice(origin.lastIndexOf('/') + 1));

/** @returns undefined if there is none. */
export const readCheckpoint = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (isFileMissing(error)) return undefined;
    throw error;
  });

/** Whether a log is, or has grown from, what a checkpoint says. */
export async function fits(
  db: EntityManager | DataSource,
  log: Log,
  checkpoint: string,
): Promise<boolean> {
  const { origin, size, root } = parseCheckpoint(checkpoint) ?? {};
  if (origin !== log.origin || size === undefined || size > log.size) return false;
  return (await treeOf(db, log).root(size)).toString('base64') === root;
}

/**
 * After a restore, logs continue in new ones that name them: what the database has lost may have been
 * published. @param checkpoints the newest of logs that lost nothing, which go on if these fit.
 */
export const endRestoredLogs = (db: DataSource, checkpoints: readonly string[]): Promise<number> =>
  db.transaction(async (tx) => {
    let ended = 0;
    for (const log of await sql.selectLogs(tx)) {
      if (log.endedAt) continue;
      const given = checkpoints.find((text) => parseCheckpoint(text)?.origin === log.origin);
      if (given !== undefined && (await fits(tx, log, given))) continue;
      await sql.endLog(tx, log);
      ended += 1;
    }
    return ended;
  });
