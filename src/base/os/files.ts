import { randomUUID } from 'node:crypto';
import {
  access,
  constants,
  link,
  mkdir,
  open,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unavailable } from '../errors/catalogue.js';

/** The errno name (`ENOENT`, `ENOSPC`, …) of a failed system call; undefined for other errors. */
export function errnoOf(error: unknown): string | undefined {
  const failed = error instanceof Error && 'syscall' in error && 'code' in error;
  return failed && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether the file of a failed system call does not exist. */
export function isFileMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errnoOf(error) ?? '');
}

/** @param mode what this process must be allowed; by default, nothing. */
export const exists = (path: string, mode?: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  );

/** Makes changes of a folder's entries survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Replaces a file atomically, or makes it; after a power cut, it is the former or the new one. */
export async function replaceFile(path: string, text: string, mode = 0o666): Promise<void> {
  const draft = `${path}.new`;
  await writeFile(draft, text, { mode, flush: true });
  await rename(draft, path);
}

/** Whether a name is of what systems put at the root of a disk: nothing that anyone keeps there. */
export const isOfDisk = (name: string): boolean =>
  /^(?:lost\+found|system volume information|\$recycle\.bin|\.(?:trash.*|fseventsd|spotlight-v100))$/i.test(
    name,
  );

/** What file systems without hard links answer, such as exFAT and some network shares. */
const linkless = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];
export const lacksLinks = (error: unknown): boolean => linkless.includes(errnoOf(error) ?? '');

/**
 * Gives a complete file another name on the same file system, which must be free. A rename alone
 * would replace what has that name; where there are no hard links, the name is taken before.
 *
 * @throws EEXIST
 */
export async function moveToFree(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch (error) {
    if (!lacksLinks(error)) throw error;
    await (await open(target, 'wx')).close();
    return rename(source, target);
  }
  await unlink(source);
}

/** Does in a folder what an upload does there, and undoes it: it may lack more than space. */
export async function tryFolder(folder: string): Promise<void> {
  const [draft, file] = [join(folder, randomUUID()), join(folder, randomUUID())];
  try {
    await writeFile(draft, 'x', { flag: 'wx' });
    await moveToFree(draft, file);
  } finally {
    await Promise.all([rm(draft, { force: true }), rm(file, { force: true })]);
  }
}

/**
 * Converts a failed system call (disk full, no permission, I/O error) to ServiceError `unavailable`
 * with the failure as its cause; returns any other error unchanged.
 */
export function fileStoreError(error: unknown): unknown {
  return errnoOf(error) === undefined ? error : unavailable('The object store', error);
}

/** Runs a store operation, converting its failures with `fileStoreError`. */
export async function withStoreErrors<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw fileStoreError(error);
  }
}

/** Creates one folder, unless it exists. @throws EEXIST if there is something else. */
async function makeOne(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error;
  }
}

/**
 * Creates a missing folder, and its parents with the usual mode. For paths that users specify:
 * mkdir's own recursion never ends below /proc.
 */
export async function makeFolder(folder: string, mode: number): Promise<void> {
  try {
    await makeOne(folder, mode);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder), 0o755);
    await makeOne(folder, mode);
  }
}

/** The time in the name of a file, `YYYYMMDDTHHMMSSZ`. */
export const stamp = (): string => new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
