import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { ServiceError } from '../../base/errors/catalogue.js';
import { secondMs } from '../../base/units.js';
import {
  isBehind,
  readTile,
  selectHistory,
  selectImage,
  selectLog,
  selectPublishes,
  selectStamp,
  type HistoryRow,
  type Log,
} from './custody.sql.js';
import { treeOf } from './log.js';
import { withCertificates } from './time-stamp.js';
import { bundles, firstOf, tileWidth, type Tree } from './tree.js';

// What of the logs leaves the installation: their tiles, and proofs (docs/custody.md).

/** Entries that a proof has, and one that is to have all. */
const usual = 20;
const most = 10_000;
/** Of a usual proof, in bytes. */
const maxBytes = 8_192;

/** A name of a tile, whose index comes in groups of three digits. */
const tileName = /^(?<index>(?:x\d{3}\/)*\d{3})(?:\.p\/(?<width>[1-9]\d{0,2}))?$/;
const levelName = /^(?:entries|\d|[1-5]\d|6[0-3])$/;

/** An index of a tile as its name spells it. */
function indexName(n: number): string {
  const digits = String(n);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
  return groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join('/');
}

export class Proofs {
  constructor(private readonly db: DataSource) {}

  /** Whether anybody may read the log of a platform. */
  async publishes(platformId: string): Promise<boolean> {
    return isUuid(platformId) && selectPublishes(this.db, platformId);
  }

  /** The newest checkpoint of a platform's log, and the key that verifies it. @throws ServiceError `not_found`. */
  async log(platformId: string): Promise<Pick<Log, 'checkpoint' | 'key'>> {
    const log = isUuid(platformId) ? await selectLog(this.db, platformId) : undefined;
    return log ?? notFound();
  }

  /** The newest checkpoint of a platform's log; null without one. */
  async checkpointOf(platformId: string): Promise<string | null> {
    return (await selectLog(this.db, platformId))?.checkpoint ?? null;
  }

  /** A tile, or the part of it that its name says. @throws ServiceError `not_found`. */
  async tile(platformId: string, level: string, name: string): Promise<Buffer> {
    const { index = '', width } = tileName.exec(name)?.groups ?? {};
    const n = Number(index.replaceAll(/\D/g, ''));
    const wanted = Number(width ?? tileWidth);
    const isName = levelName.test(level) && indexName(n) === index && Number.isSafeInteger(n);
    if (!isName || (width !== undefined && wanted >= tileWidth) || !isUuid(platformId)) notFound();
    const log = (await selectLog(this.db, platformId)) ?? notFound();
    const height = level === 'entries' ? bundles : Number(level);
    const data = await readTile(this.db, log.id, height, n);
    return (data && firstOf(height, data, wanted)) ?? notFound();
  }

  /**
   * The proof of an image: what happened to it, and that the log has it.
   * @param userId whose image it has to be. @param full with all entries, not the newest alone.
   * @throws ServiceError `image_not_found`; `unavailable` until the log has it.
   */
  async of(imageId: string, full: boolean, userId?: string): Promise<string> {
    const image = isUuid(imageId) ? await selectImage(this.db, imageId, userId) : undefined;
    if (!image) throw new ServiceError('image_not_found');
    await this.#caughtUp(imageId);
    const log = await selectLog(this.db, image.platformId);
    const rows = log ? await selectHistory(this.db, imageId, log, full ? most : usual) : [];
    const newest = rows.at(-1);
    if (!log || newest?.logId !== log.id) {
      const message = 'The log does not have the image yet.';
      throw new ServiceError('unavailable', { message, retryAfter: behindMs / secondMs });
    }
    const tree = treeOf(this.db, log);
    const head = [
      'imgstore-proof/1',
      `image ${imageId}`,
      `salt ${image.salt.toString('base64')}`,
      `key ${log.key}`,
      '',
    ];
    const tail = [...tlogProof, ...(await pathLines(tree, newest)), '', log.checkpoint];
    const stamped = await this.#stamped(tree, log.id, newest);
    // An entry that the chain does not connect with the newest has a path of its own.
    const first = rows.find(({ logId }) => logId === log.id) ?? newest;
    const firstPath = await pathLines(tree, first);
    const write: Write = ({ shown, texts, certified }) => {
      const entries = entryLines(shown, { first, firstPath, texts });
      return [...head, ...entries, '', ...stamped(certified), ...tail].join('\n');
    };
    if (full) return write({ shown: rows, texts: new Set(rows), certified: true });
    return fitted(rows, first, write);
  }

  /** That the first checkpoint that was stamped with an entry has it, with or without certificates. */
  async #stamped(
    tree: Tree,
    logId: number,
    row: HistoryRow,
  ): Promise<(certified: boolean) => string[]> {
    const stamp = await selectStamp(this.db, logId, row.leaf);
    if (!stamp) return () => [];
    const path = await pathLines(tree, row, stamp.size);
    return (certified) => {
      const { token, certificates, checkpoint } = stamp;
      const shown = certified ? withCertificates(token, certificates) : token;
      const extra = `extra ${Buffer.from(shown).toString('base64')}`;
      return [...tlogProof, extra, ...path, '', checkpoint];
    };
  }

  /** Who has just changed an image finds that in its proof. */
  async #caughtUp(imageId: string): Promise<void> {
    const until = performance.now() + behindMs;
    while ((await isBehind(this.db, imageId)) && performance.now() < until) await delay(lookMs);
  }
}

/** How far the logs are behind at most, as a rule, and how often that is looked at, in milliseconds. */
const [behindMs, lookMs] = [5 * secondMs, secondMs / 4];

function notFound(): never {
  throw new ServiceError('not_found');
}

const tlogProof = ['c2sp.org/tlog-proof@v1'];

async function pathLines(tree: Tree, { leaf }: HistoryRow, size = tree.size): Promise<string[]> {
  const path = await tree.path(leaf, size);
  return [`index ${leaf}`, ...path.map((hash) => hash.toString('base64'))];
}

/** Writes a proof of these entries. */
type Write = (parts: {
  readonly shown: readonly HistoryRow[];
  /** Entries whose address is shown in full. */
  readonly texts: ReadonlySet<HistoryRow>;
  /** Whether the time stamp has its certificates. */
  readonly certified: boolean;
}) => string;

/** As many entries as fit, the newest and the first before all, the text of their addresses, certificates. */
function fitted(rows: readonly HistoryRow[], first: HistoryRow, write: Write): string {
  const fits = (text: string): boolean => Buffer.byteLength(text) <= maxBytes;
  const shown = [...rows];
  let texts = new Set<HistoryRow>();
  const bare = (): string => write({ shown, texts, certified: false });
  while (shown.length > usual || (shown.length > 2 && !fits(bare()))) {
    shown.splice(shown[0] === first ? 1 : 0, 1);
  }
  for (const row of shown.toReversed()) {
    const more = new Set([...texts, row]);
    if (row.address !== null && fits(write({ shown, texts: more, certified: false }))) texts = more;
  }
  const certified = write({ shown, texts, certified: true });
  return fits(certified) ? certified : bare();
}

interface Wanted {
  readonly first: HistoryRow;
  readonly firstPath: readonly string[];
  /** Entries whose address is shown in full. */
  readonly texts: ReadonlySet<HistoryRow>;
}

/** Entries, each with the lines of its state that differ from the entry before. */
function entryLines(shown: readonly HistoryRow[], { first, firstPath, texts }: Wanted): string[] {
  let before: HistoryRow | undefined;
  return shown.flatMap((row, i) => {
    const skipped = row.n - (before?.n ?? 0) - 1;
    const known = new Set(skipped === 0 ? before?.state.split('\n') : []);
    before = row;
    const isApart = row === first && (shown[i + 1]?.n ?? row.n + 1) > row.n + 1;
    return [
      ...(skipped > 0 ? [`skipped ${skipped} ${row.before?.toString('base64')}`] : []),
      `${row.at} ${row.kinds}`,
      ...row.state
        .split('\n')
        .filter((line) => !known.has(line) || line.startsWith('versions '))
        .map((line) => ` ${line}`),
      ...(texts.has(row) && row.address !== null ? [` text ${row.address}`] : []),
      ...(isApart ? [` ${firstPath.join(' ')}`] : []),
    ];
  });
}
