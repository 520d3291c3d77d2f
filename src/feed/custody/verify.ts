import { NIL } from 'uuid';
import type { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import { stateOf, unexplained } from './check-proof.js';
import { selectLogs } from './custody.sql.js';
import type { CustodyLogRow } from './entity.js';
import { checkpointFileOf, fits, leafOf, readCheckpoint, treeOf } from './log.js';
import { leafHash, perfectRoot, primitives } from './crypto.js';
import { hashBytes } from './merkle.js';
import { checkpointText, openNote, parseCheckpoint } from './notes.js';
import { bundles, DamagedLog, entriesOf, tileWidth, type Tree } from './tree.js';
import { compareImages, readSaid, type Place, type Said } from './verify.sql.js';

/** Something that is not what the log says. */
export interface CustodyFinding {
  readonly platform_id: string;
  /** Null if the database does not tell which. */
  readonly image_id: string | null;
  readonly what: string;
}

interface VerifyParts {
  readonly db: DataSource;
  readonly home: Home;
  /** Checkpoints that the operator has kept elsewhere. */
  readonly checkpoints?: readonly string[];
  readonly report?: (message: string) => void;
  readonly signal: AbortSignal;
}

const maxListed = 1_000;
const rowsAtOnce = 1_000;
/** Leaves of deleted images that are looked for at a time: some 50 MB. */
const soughtAtOnce = 500_000;

/** A log as far as it had come when the verification began. */
interface VerifiedLog extends CustodyLogRow {
  readonly tree: Tree;
  /** One bit for each leaf that the history has. */
  readonly told: Uint8Array;
}

/** Whether rows, history, and logs agree, and the logs with what was published of them. */
export const verifyCustody = (parts: VerifyParts) => new Verification(parts).run();

export type VerifiedCustody = Awaited<ReturnType<typeof verifyCustody>>;

class Verification {
  readonly #differences: CustodyFinding[] = [];
  #total = 0;
  #waiting = 0;
  #logs = new Map<number, VerifiedLog>();
  /** Images that were named: what follows from that is not said again. */
  readonly #named = new Set<string>();

  constructor(private readonly parts: VerifyParts) {}

  async run() {
    const { db, report } = this.parts;
    const found = await selectLogs(db);
    this.#logs = new Map(
      found.map((log) => {
        const told = new Uint8Array(Math.ceil(log.size / 8));
        return [log.id, { ...log, tree: treeOf(db, log), told }];
      }),
    );
    report?.('Checking the logs');
    for (const log of this.#logs.values()) await this.#log(log);
    report?.('Checking what was said of images');
    await this.#history();
    const images = await this.#images();
    report?.('Looking for images that are gone');
    for (const platformId of new Set(found.map((log) => log.platformId))) {
      await this.#gone(platformId);
    }
    return {
      ok: this.#total === 0,
      logs: found.length,
      entries: found.reduce((sum, { size }) => sum + size, 0),
      images,
      /** Of these, those with changes that the log has yet to take in, which were not compared. */
      waiting: this.#waiting,
      differences_total: this.#total,
      /** The first 1,000. */
      differences: this.#differences,
    };
  }

  #differs(platformId: string, imageId: string | null, what: string): void {
    if (imageId !== null) {
      if (this.#named.has(imageId)) return;
      if (this.#named.size < soughtAtOnce) this.#named.add(imageId);
    }
    this.#total += 1;
    if (this.#differences.length < maxListed) {
      this.#differences.push({ platform_id: platformId, image_id: imageId, what });
    }
  }

  /** Tiles, the checkpoint, and those that were kept. */
  async #log(log: VerifiedLog): Promise<void> {
    const { db, home, checkpoints = [] } = this.parts;
    const text = openNote(log.checkpoint, log.key, primitives) ?? '';
    // What an ended log has lost is why it ended.
    const own = log.endedAt ? '' : await readCheckpoint(checkpointFileOf(home, log.origin));
    const kept = new Set([...checkpoints, own ?? '']);
    try {
      await this.#tiles(log);
      const { origin, size } = log;
      const root = (await log.tree.root()).toString('base64');
      if (checkpointText({ origin, size, root }) !== text) {
        this.#differs(log.platformId, null, `the log ${origin} is not what its checkpoint signs`);
      }
      for (const note of kept) {
        if (parseCheckpoint(note)?.origin !== log.origin) continue;
        if (await fits(db, await this.#asItIs(log), note)) continue;
        const was = `its checkpoint of ${parseCheckpoint(note)?.size} entries`;
        this.#differs(log.platformId, null, `the log ${origin} is another history than ${was}`);
      }
    } catch (error) {
      if (!(error instanceof DamagedLog || error instanceof RangeError)) throw error;
      this.#differs(log.platformId, null, `the log ${log.origin} is damaged: ${error.message}`);
    }
  }

  /** What was published while this began may be newer. */
  async #asItIs(log: VerifiedLog): Promise<CustodyLogRow> {
    const now = await selectLogs(this.parts.db, log.platformId);
    return now.find(({ id }) => id === log.id) ?? log;
  }

  /** Whether entries have the hashes of the lowest tiles, and full tiles those above. */
  async #tiles({ tree, size, platformId, origin }: VerifiedLog): Promise<void> {
    for (
      let level = 0, width = size;
      width > 0;
      level += 1, width = Math.floor(width / tileWidth)
    ) {
      for (let n = 0; n * tileWidth < width; n += 1) {
        this.parts.signal.throwIfAborted();
        const hashes = await tree.tile(level, n);
        const wanted = Math.min(tileWidth, width - n * tileWidth);
        const below =
          level === 0
            ? entriesOf(await tree.tile(bundles, n)).map(leafHash)
            : await this.#rootsBelow(tree, level, n, wanted);
        for (let i = 0; i < wanted; i += 1) {
          const hash = hashes.subarray(i * hashBytes, (i + 1) * hashBytes);
          if (below[i]?.equals(hash)) continue;
          const which = `${level === 0 ? 'entry' : `hash of level ${level},`} ${n * tileWidth + i}`;
          this.#differs(platformId, null, `${which} of the log ${origin} was changed`);
        }
      }
    }
  }

  async #rootsBelow(tree: Tree, level: number, n: number, wanted: number): Promise<Buffer[]> {
    const roots: Buffer[] = [];
    for (let i = 0; i < wanted; i += 1) {
      const tile = await tree.tile(level - 1, n * tileWidth + i);
      if (tile.length !== tileWidth * hashBytes)
        throw new DamagedLog(`a tile of level ${level - 1} is not full`);
      roots.push(perfectRoot(tile));
    }
    return roots;
  }

  /** Whether the history of each image is what the log has of it, and of the image. */
  async #history(): Promise<void> {
    let after: Place = { imageId: NIL, logId: 0, leaf: 0 };
    let before: Said | undefined;
    for (;;) {
      this.parts.signal.throwIfAborted();
      const page = await readSaid(this.parts.db, after, rowsAtOnce);
      for (const row of page) {
        await this.#said(row, before?.imageId === row.imageId ? before : undefined);
        before = row;
      }
      if (!before || page.length < rowsAtOnce) return;
      after = before;
    }
  }

  async #said(row: Said, before: Said | undefined): Promise<void> {
    const log = this.#logs.get(row.logId);
    if (!log || row.leaf >= log.size) return; // younger than this verification
    const { platformId, told } = log;
    const differs = (what: string): void => this.#differs(platformId, row.imageId, what);
    const place = row.leaf >>> 3;
    told[place] = (told[place] ?? 0) | (1 << (row.leaf % 8));
    if (row.going) return;
    if (!row.known) return differs('was deleted, but the log says nothing of it');
    const hash = leafHash(leafOf(before?.hash, row.digest));
    if (!hash.equals(row.hash) || !(await this.#isIn(log, row))) {
      return differs(`what was logged of it at ${row.at} was changed`);
    }
    const state = stateOf(row.state);
    const odd = unexplained(row.kinds, before && stateOf(before.state), state);
    if (odd.length > 0) differs(`its ${odd.join(', ')} changed before ${row.at}, which nobody did`);
    const names = /^(upload|found)$|^version\b/.test(row.kinds);
    if (names && state.get('content')?.split(' ')[1] !== row.content) {
      differs(`the version of ${row.at} is another one, or gone`);
    }
    if (state.has('versions') && state.get('versions') !== row.versions) {
      differs(`a version before ${row.at} is another one, or gone`);
    }
  }

  async #isIn({ tree }: VerifiedLog, { leaf, hash }: Said): Promise<boolean> {
    try {
      const tile = await tree.tile(0, Math.floor(leaf / tileWidth));
      const start = (leaf % tileWidth) * hashBytes;
      return tile.subarray(start, start + hashBytes).equals(hash);
    } catch (error) {
      if (error instanceof DamagedLog) return false;
      throw error;
    }
  }

  /** Whether images are as the log last said. */
  async #images(): Promise<number> {
    let after: string = NIL;
    let count = 0;
    for (;;) {
      this.parts.signal.throwIfAborted();
      const page = await compareImages(this.parts.db, after, rowsAtOnce);
      for (const { id, platformId, state, said, pending } of page) {
        if (pending) this.#waiting += 1;
        else if (said === null) this.#differs(platformId, id, 'the log does not know it');
        else if (!`${said}\n`.startsWith(`${state}\n`)) {
          const [was, is] = [stateOf(said), stateOf(state)];
          const words = [...is.keys()].filter((word) => is.get(word) !== was.get(word));
          this.#differs(platformId, id, `its ${words.join(', ')} is not what was logged last`);
        }
      }
      count += page.length;
      after = page.at(-1)?.id ?? after;
      if (page.length < rowsAtOnce) return count;
    }
  }

  /** Leaves that the history does not have belong to deleted images: another one of the image follows each. */
  async #gone(platformId: string): Promise<void> {
    const logs = [...this.#logs.values()].filter((log) => log.platformId === platformId);
    const grown = await selectLogs(this.parts.db, platformId);
    let untold = 0;
    for (const { told, size } of logs) {
      untold += size;
      for (const byte of told) for (let bits = byte; bits > 0; bits >>>= 1) untold -= bits & 1;
    }
    const parts = Math.max(1, Math.ceil(untold / soughtAtOnce));
    for (let part = 0; part < parts; part += 1) {
      const sought = new Map<string, string>();
      for (const log of logs) {
        for await (const { index, entry } of this.#entries(log)) {
          const isTold = ((log.told[index >>> 3] ?? 0) & (1 << (index % 8))) !== 0;
          const isDeletion = entry.subarray(hashBytes).equals(noDigest);
          if (isTold || isDeletion || entry.length !== 2 * hashBytes) continue;
          const hash = leafHash(entry);
          if (hash.readUInt32BE() % parts === part) {
            sought.set(hash.toString('latin1'), `entry ${index} of the log ${log.origin}`);
          }
        }
      }
      // Deletions that were logged meanwhile count, too.
      for (const log of grown) {
        for await (const { entry } of this.#entries({ ...log, tree: treeOf(this.parts.db, log) })) {
          sought.delete(entry.subarray(0, hashBytes).toString('latin1'));
        }
      }
      for (const which of sought.values()) {
        this.#differs(platformId, null, `${which} is of an image that is gone without a deletion`);
      }
    }
  }

  async *#entries({ tree, size }: Pick<VerifiedLog, 'tree' | 'size'>) {
    for (let n = 0; n * tileWidth < size; n += 1) {
      this.parts.signal.throwIfAborted();
      const bundle = await this.#bundle(tree, n);
      for (const [i, entry] of bundle.entries()) {
        if (n * tileWidth + i < size) yield { index: n * tileWidth + i, entry };
      }
    }
  }

  /** What is damaged has been said. */
  async #bundle(tree: Tree, n: number): Promise<Buffer[]> {
    try {
      return entriesOf(await tree.tile(bundles, n));
    } catch (error) {
      if (error instanceof DamagedLog || error instanceof RangeError) return [];
      throw error;
    }
  }
}

const noDigest = Buffer.alloc(hashBytes);
