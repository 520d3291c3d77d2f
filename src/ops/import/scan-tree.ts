import { createHash } from 'node:crypto';
import { type Dirent, constants } from 'node:fs';
import { readdir, open } from 'node:fs/promises';
import { join, relative } from 'node:path';
import ignore from 'ignore';
import { folderTitle } from '../../library/folders/schemas.js';

/** Deepest folder that a service accepts. */
const maxDepth = 64;

/** Whether a file may describe a picture. */
export const isSidecar = (name: string): boolean => /\.(json|xmp)$/i.test(name);

/** Why an entry of a tree is skipped; all of them are reported. */
export const leftAlone = {
  hidden: 'its name begins with a dot',
  excluded: 'it matches --exclude',
  system: 'systems keep thumbnails, previews, or deleted files there',
  symbolic_link: 'symbolic links are not followed',
  special: 'it is neither a file nor a directory',
  unreadable: 'it cannot be read',
  bad_name: 'its name is not valid UTF-8, or cannot be the title of a folder',
  too_deep: `it is more than ${maxDepth} directories deep`,
  not_a_picture: 'it is not a picture of a known format',
  unmatched_sidecar: 'it describes none of the pictures beside it',
} as const;

export interface LeftAlone {
  /** Relative to the tree. */
  readonly path: string;
  readonly reason: keyof typeof leftAlone;
}

/** A directory of a tree, with the files to import from it. */
export interface FoundDirectory {
  readonly path: string;
  /** Titles of folders, from the top of the tree. */
  readonly titles: readonly string[];
  /** Names, sorted. */
  readonly files: readonly string[];
  /**
   * Sidecars whose names are not UTF-8, as one that was cut within a character: their names with
   * replacement characters, and as they are.
   */
  readonly cut: ReadonlyMap<string, Buffer>;
  readonly left: readonly LeftAlone[];
}

/** Directories that no person fills, of Synology, QNAP, Windows, macOS, Linux, and Lightroom. */
const systemDirectory =
  /^(@eaDir|@Recycle|#recycle|#snapshot|\$RECYCLE\.BIN|System Volume Information|__MACOSX|lost\+found|.*\.lrdata)$/i;

/** Whether a path relative to the tree is excluded; those of directories end with a slash. */
export type Excludes = (path: string) => boolean;

/** @param patterns as in a .gitignore. */
export function excludes(patterns: readonly string[]): Excludes {
  const rules = ignore().add(patterns);
  return (path) => rules.ignores(path);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Traverses the directories of a tree, parents first. Symbolic links are not followed, so there are
 * no cycles.
 * @throws the system's error if the tree itself cannot be read.
 */
export async function* scanTree(
  root: string,
  isExcluded: Excludes = () => false,
  path = root,
  titles: readonly string[] = [],
): AsyncGenerator<FoundDirectory> {
  const entries = await readdir(path, { withFileTypes: true, encoding: 'buffer' }).catch(
    (error: unknown) => {
      if (path === root) throw error;
      return undefined;
    },
  );
  const left: LeftAlone[] = [];
  const note = (at: string, reason: LeftAlone['reason']): void => {
    left.push({ path: relative(root, at), reason });
  };
  if (!entries) note(path, 'unreadable');
  const files: string[] = [];
  const cut = new Map<string, Buffer>();
  const directories: { path: string; titles: readonly string[] }[] = [];
  for (const entry of sorted(entries ?? [])) {
    const name = nameOf(entry);
    const at = join(path, name ?? escaped(entry));
    const odd = name === undefined ? 'bad_name' : oddityOf(name, entry);
    const inTree = relative(root, at) + (entry.isDirectory() ? '/' : '');
    const broken = String(entry.name);
    const isCut = name === undefined && entry.isFile() && isSidecar(broken) && !cut.has(broken);
    if (isCut) cut.set(broken, entry.name);
    else if (odd || name === undefined) note(at, odd ?? 'bad_name');
    else if (isExcluded(inTree)) note(at, 'excluded');
    else if (entry.isFile()) files.push(name);
    else {
      const title = folderTitle.safeParse(name).data;
      if (title === undefined) note(at, 'bad_name');
      else if (titles.length === maxDepth) note(at, 'too_deep');
      else directories.push({ path: at, titles: [...titles, title] });
    }
  }
  yield { path, titles, files, cut, left };
  for (const below of directories) yield* scanTree(root, isExcluded, below.path, below.titles);
}

type Entry = Dirent<Buffer>;

const sorted = (entries: readonly Entry[]): Entry[] =>
  [...entries].sort((a, b) => Buffer.compare(a.name, b.name));

function nameOf({ name }: Entry): string | undefined {
  try {
    return utf8.decode(name);
  } catch {
    return undefined;
  }
}

/** A name that is not UTF-8, as it can be printed. */
export const escaped = ({ name }: { readonly name: Buffer }): string =>
  name.toString('latin1').replaceAll(/[^ -~]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16)}`);

function oddityOf(name: string, entry: Entry): LeftAlone['reason'] | undefined {
  if (name.startsWith('.')) return 'hidden';
  if (entry.isSymbolicLink()) return 'symbolic_link';
  if (entry.isDirectory() && systemDirectory.test(name)) return 'system';
  return entry.isFile() || entry.isDirectory() ? undefined : 'special';
}

/** Bytes read at a time. */
const chunkBytes = 256 * 1024;

/** Bytes from which a format is recognized. */
const headBytes = 32;

/** A picture of a tree, as it was when it was read. */
export interface SourceFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
  /** SHA-256, hexadecimal. */
  readonly hash: string;
}

/**
 * Reads and hashes a file, unless it is not a picture or exceeds the limit.
 * @throws the system's error.
 */
export async function readSource(
  path: string,
  maxBytes: number,
): Promise<SourceFile | 'not_a_picture' | 'too_large'> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const { size, mtime } = await file.stat();
    const head = Buffer.alloc(headBytes);
    await file.read(head, 0, headBytes, 0);
    if (!isPicture(head)) return 'not_a_picture';
    if (size > maxBytes) return 'too_large';
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(chunkBytes);
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, bytes);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
    return { path, bytes, modifiedAt: mtime, hash: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

const brands = new Set([
  'heic',
  'heix',
  'hevc',
  'hevx',
  'heim',
  'heis',
  'mif1',
  'msf1',
  'avif',
  'avis',
]);

/** A preliminary check, so that videos are not sent; the service decides. */
function isPicture(head: Buffer): boolean {
  const text = head.toString('latin1');
  if (/^(\xff\xd8\xff|\x89PNG|GIF8|II\*\0|MM\0\*)/.test(text)) return true;
  if (text.startsWith('RIFF')) return text.slice(8, 12) === 'WEBP';
  return text.slice(4, 8) === 'ftyp' && brands.has(text.slice(8, 12));
}
