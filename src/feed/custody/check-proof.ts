import { hashBytes, rootOfPath } from './merkle.js';
import {
  fromBase64,
  openNote,
  parseCheckpoint,
  toBase64,
  toHex,
  type Checkpoint,
  type Primitives,
} from './notes.js';
import { readToken } from './time-stamp.js';

// Checks a proof as docs/custody.md describes it: without a home, a database, or a network; in browsers, too.

/** Why a proof proves nothing, in words that a page can translate. */
type Kind =
  | 'unreadable'
  | 'changed'
  | 'time'
  | 'none'
  | 'otherLog'
  | 'otherSize'
  | 'otherHistory'
  | 'otherPicture'
  | 'tooLarge';

/** Why a proof proves nothing. */
export class ProofError extends Error {
  override readonly name = 'ProofError';

  constructor(
    message: string,
    readonly kind: Kind = 'unreadable',
  ) {
    super(message);
  }
}

/** A proof with everything that ever happened to an image is far smaller. */
export const maxProofBytes = 16 * 1024 * 1024;

/** What happened to an image. */
export interface ProvedEntry {
  readonly at: string;
  readonly kinds: string;
  /** What the image was like afterwards, by the words of docs/custody.md. */
  readonly state: ReadonlyMap<string, string>;
  readonly address: string | undefined;
  /** Entries that the proof leaves out before this one. */
  readonly skipped: number;
}

export interface Proved {
  readonly imageId: string;
  /** The oldest first. */
  readonly entries: readonly ProvedEntry[];
  readonly checkpoint: Checkpoint;
  /** What verifies the checkpoint; whose key it is, the checker has to know. */
  readonly key: string;
  readonly stamp: ProvedStamp | undefined;
}

/** A time stamp of the checkpoint, or of an earlier one that has the newest entry as well. */
export interface ProvedStamp {
  /** What it says, of this checkpoint; who has signed that, is not checked here. */
  readonly at: string;
  readonly token: Uint8Array;
  /** The checkpoint, verbatim. */
  readonly note: string;
}

/** Which version of the image a file is, by its SHA-256; undefined for none that the proof names. */
export function versionOf({ entries }: Proved, hash: string): number | undefined {
  const contents = entries.map(({ state }) => state.get('content')?.split(' ') ?? []);
  const found = contents.findLast(([, known]) => known === hash);
  return found && Number(found[0]);
}

/** The order of the lines of a state. */
const words = ['image', 'content', 'place', 'taken_at', 'created_at', 'address', 'folder', 'trash'];
const ofFound = 'versions';

/** The lines of a state by their words. */
export const stateOf = (text: string): Map<string, string> =>
  new Map(
    text.split('\n').map((line) => {
      const end = line.indexOf(' ');
      return [line.slice(0, end), line.slice(end + 1)];
    }),
  );

/** What has to happen for a line to change. */
const reasons: ReadonlyMap<string, RegExp> = new Map([
  ['content', /\bversion\b/],
  ['place', /\bplace\b/],
  ['taken_at', /\btime\b/],
  ['created_at', /\btime\b/],
  ['address', /\baddress\b/],
  ['folder', /\bmove\b/],
  ['trash', /\b(trash|restore)\b/],
]);

/** The words of lines that changed although nothing happened that changes them. */
export const unexplained = (
  kinds: string,
  before: ReadonlyMap<string, string> | undefined,
  after: ReadonlyMap<string, string>,
): string[] =>
  words.filter(
    (word) => before && before.get(word) !== after.get(word) && !reasons.get(word)?.test(kinds),
  );

const headLines = /^imgstore-proof\/1\nimage (\S+)\nsalt (\S+)\nkey (\S+)$/;
const skippedLine = /^skipped ([1-9]\d{0,14}) ([A-Za-z0-9+/]{43}=)$/;
const entryLine = /^(\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([a-z]+(?: [a-z0-9-]+)*)$/;

function bytesOf(base64: string): Uint8Array {
  const bytes = fromBase64(base64);
  if (bytes?.length === hashBytes) return bytes;
  throw new ProofError(`"${base64.slice(0, 60)}" is not a hash.`);
}

/**
 * @param known the text of a checkpoint of the log that the checker has from elsewhere.
 * @throws ProofError if the proof is not what its checkpoint signs.
 */
export function checkProof(text: string, primitives: Primitives, known?: string): Proved {
  const [front = '', ...tails] = text.split(/\n\n(?=c2sp\.org\/tlog-proof@v1\n)/);
  const [head = '', body = '', ...more] = front.split('\n\n');
  const [, imageId = '', salt = '', key = ''] = headLines.exec(head) ?? [];
  if (imageId === '') throw new ProofError('This is not a proof of imgstore.');
  // The line break at the end of one that another follows is what divides them.
  const [newest, stamped, ...others] = tails
    .map((tail, i) => inclusionOf(i < tails.length - 1 ? `${tail}\n` : tail, key, primitives))
    .toReversed();
  if (!newest || others.length + more.length > 0)
    throw new ProofError('The proof has no inclusion path.');
  const { checkpoint } = newest;
  if (known !== undefined) assertSame(checkpoint, parseCheckpoint(known));
  const chain = new Chain(bytesOf(salt), imageId, checkpoint, primitives);
  for (const block of body.split(/\n(?! )/)) chain.add(block);
  chain.close(newest.path);
  if (stamped) chain.close(stamped.path, stamped.checkpoint);
  const stamp = stampOf(stamped ?? newest, stamped !== undefined, primitives);
  return { imageId, entries: chain.entries, checkpoint, key, stamp };
}

/** That a checkpoint has an entry: c2sp.org/tlog-proof. */
interface Inclusion {
  readonly checkpoint: Checkpoint;
  readonly note: string;
  readonly path: readonly string[];
  /** A time stamp of the checkpoint. */
  readonly extra: string | undefined;
}

/** @throws ProofError unless the key has signed the checkpoint. */
function inclusionOf(text: string, key: string, primitives: Primitives): Inclusion {
  const end = text.indexOf('\n\n');
  const note = text.slice(end + 2);
  const checkpoint = parseCheckpoint(openNote(note, key, primitives) ?? '');
  if (!checkpoint)
    throw new ProofError('The key of the proof has not signed its checkpoint.', 'changed');
  const [, ...lines] = text.slice(0, end).split('\n');
  const [, extra] = /^extra (.+)$/.exec(lines[0] ?? '') ?? [];
  return { checkpoint, note, extra, path: extra === undefined ? lines : lines.slice(1) };
}

/** @throws ProofError for a time stamp of something else, or none where there has to be one. */
function stampOf(
  { note, extra }: Inclusion,
  isNeeded: boolean,
  { sha256 }: Primitives,
): ProvedStamp | undefined {
  if (extra === undefined && !isNeeded) return undefined;
  const token = fromBase64(extra ?? '');
  const said = token && readToken(token);
  if (token && said?.hash === toHex(sha256(note))) return { at: said.at, token, note };
  throw new ProofError('The time stamp is of something else than the checkpoint with it.', 'time');
}

/** @throws ProofError unless both are the same. */
function assertSame(own: Checkpoint, known: Checkpoint | undefined): void {
  if (!known) throw new ProofError('What should be a checkpoint is none.', 'none');
  if (own.origin !== known.origin) {
    throw new ProofError(
      `The proof is of the log ${own.origin}, the checkpoint of ${known.origin}.`,
      'otherLog',
    );
  }
  if (own.size !== known.size) {
    throw new ProofError(
      `The proof is of ${own.size} entries, the checkpoint of ${known.size}: only those of the same number can be compared.`,
      'otherSize',
    );
  }
  if (own.root !== known.root) {
    throw new ProofError('The proof is of another history than the checkpoint.', 'otherHistory');
  }
}

const [leafMark, nodeMark] = [Uint8Array.of(0), Uint8Array.of(1)];

/** The entries of a proof, each of which has the hash of the one before it. */
class Chain {
  readonly entries: ProvedEntry[] = [];
  #before: Uint8Array = new Uint8Array(hashBytes);
  #skipped = 0;
  /** The path of the last entry, if it has one of its own. */
  #own: readonly string[] | undefined;

  constructor(
    private readonly salt: Uint8Array,
    private readonly imageId: string,
    private readonly checkpoint: Checkpoint,
    private readonly primitives: Primitives,
  ) {}

  /** Adds an entry, or a gap. */
  add(block: string): void {
    const [first = '', ...lines] = block.split('\n');
    const gap = skippedLine.exec(first);
    if (gap && lines.length === 0) {
      if (this.entries.length > 0) this.close(this.#own ?? []);
      this.#before = bytesOf(gap[2] ?? '');
      this.#skipped = Number(gap[1]);
      return;
    }
    const [, at = '', kinds = ''] = entryLine.exec(first) ?? [];
    if (at === '') throw new ProofError(`"${first.slice(0, 60)}" is not an entry.`);
    const { state, address } = this.#state(lines);
    const before = this.#skipped === 0 ? this.entries.at(-1)?.state : undefined;
    const [odd] = unexplained(kinds, before, state);
    if (odd !== undefined)
      throw new ProofError(`"${kinds}" does not change the ${odd} of an image.`, 'changed');
    const ordered = [...words, ofFound].filter((word) => state.has(word));
    const stated = ordered.map((word) => `${word} ${state.get(word)}`).join('\n');
    const { sha256 } = this.primitives;
    const digest = sha256(this.salt, `${at} ${kinds}\n${stated}`);
    this.#before = sha256(leafMark, this.#before, digest);
    this.entries.push({ at, kinds, state, address, skipped: this.#skipped });
    this.#skipped = 0;
  }

  /** What an entry says, which is what the one before it said unless it says otherwise. */
  #state(lines: readonly string[]) {
    const before = this.#skipped === 0 ? (this.entries.at(-1)?.state ?? []) : [];
    const state = new Map([...before].filter(([word]) => word !== ofFound));
    let address: string | undefined;
    this.#own = undefined;
    for (const line of lines) {
      const [, word = '', rest = ''] = /^ (\w+) (.+)$/s.exec(line) ?? [];
      if (word === 'text') address = rest;
      else if (word === 'index')
        this.#own = [`index ${rest.split(' ')[0]}`, ...rest.split(' ').slice(1)];
      else if (words.includes(word) || word === ofFound) state.set(word, rest);
      else throw new ProofError(`"${line.slice(0, 60)}" says nothing that proofs say.`);
    }
    if (words.some((word) => !state.has(word))) throw new ProofError('An entry is incomplete.');
    if (state.get('image') !== this.imageId) throw new ProofError('An entry is of another image.');
    if (address !== undefined && toHex(this.primitives.sha256(address)) !== state.get('address')) {
      throw new ProofError('An address is not the one that was logged.', 'changed');
    }
    return { state, address };
  }

  /** The last entry is in the log: its path leads to what the checkpoint signs. */
  close(path: readonly string[], { origin, size, root } = this.checkpoint): void {
    const [, index] = /^index (0|[1-9]\d{0,14})$/.exec(path[0] ?? '') ?? [];
    if (index === undefined || this.entries.length === 0 || this.#skipped > 0) {
      throw new ProofError('The proof leaves open where its entries are in the log.');
    }
    const { sha256 } = this.primitives;
    const found = rootOfPath(
      { index: Number(index), size },
      this.#before,
      path.slice(1).map(bytesOf),
      (left, right) => sha256(nodeMark, left, right),
    );
    if (found && toBase64(found) === root && origin === this.checkpoint.origin) return;
    throw new ProofError(
      'The proof does not lead to what its checkpoint signs: something was changed.',
      'changed',
    );
  }
}
