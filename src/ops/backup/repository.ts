import { randomUUID, createHash } from 'node:crypto';
import { createWriteStream, createReadStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import { failure } from '../../base/errors/operator.js';
import type { ObjectStore } from '../../store/port.js';

/**
 * Where backups are kept: a directory or a bucket. Holds a pool of objects, which all generations
 * share, and each generation's manifest, dump, and record.
 */
export interface Repository {
  /** As the operator named it. */
  readonly name: string;
  /** Local directory for files in preparation. */
  readonly staging: string;
  /** Bytes of a file; undefined if there is none. */
  size(path: string): Promise<number | undefined>;
  read(path: string): Promise<Readable | undefined>;
  /** The path of a file that is on this machine; undefined if it has to be read from elsewhere. */
  fileAt(path: string): string | undefined;
  /** Moves a local file into the repository, replacing an older one. */
  put(path: string, file: string): Promise<void>;
  /**
   * Stores a new file without moving or copying it on this machine.
   * @returns undefined where that is impossible.
   */
  adopt(path: string, file: string): Promise<FileSum | undefined>;
  list(prefix: string): AsyncIterable<{ readonly path: string; readonly bytes: number }>;
  remove(paths: readonly string[]): Promise<void>;
  /** Returns once everything stored so far survives a power cut. */
  flush(): Promise<void>;
}

/** Which installation a repository belongs to. */
export const markPath = 'repository.json';

/** Marks a directory as a WAL archive, which cannot hold backups as well. */
export const archiveMarkPath = 'archive.json';

/**
 * Exists while generations are being written or removed: their files may then be incomplete, and the
 * pool may have files of no generation.
 */
export const unfinishedPath = 'unfinished.json';

const poolPrefix = 'objects/';
const generationsPrefix = 'generations/';

export const poolPath = (key: string): string => poolPrefix + key;

/** Where the place of a repository may end in the key of one of its files. */
const ends = /(?:^|\/)(?=(?:objects|generations)\/|(?:repository|unfinished)\.json$)/g;

/** Prefixes that are remembered. */
const maxPrefixes = 1_000;

/** Tells which keys of a store belong to a repository that is in the same bucket. */
export function backupsIn(store: Pick<ObjectStore, 'stat'>): (key: string) => Promise<boolean> {
  const known = new Map<string, boolean>();
  return async (key) => {
    for (const { index, 0: end } of key.matchAll(ends)) {
      const prefix = key.slice(0, index + end.length);
      const isPlace = known.get(prefix) ?? (await store.stat(prefix + markPath)) !== undefined;
      if (known.size === maxPrefixes) known.clear();
      known.set(prefix, isPlace);
      if (isPlace) return true;
    }
    return false;
  };
}

/** Files of one generation. */
export const generationFile = (
  id: string,
  name: 'backup.json' | 'manifest.ndjson' | 'database.dump' | 'secrets.age',
): string => `${generationsPrefix}${id}/${name}`;

/** A file of the pool. */
export interface PoolFile {
  readonly key: string;
  readonly bytes: number;
}

/** Every file of the pool, in no particular order. */
export async function* listPool(repository: Repository): AsyncGenerator<PoolFile> {
  for await (const { path, bytes } of repository.list(poolPrefix)) {
    yield { key: path.slice(poolPrefix.length), bytes };
  }
}

/** The files of all generations, complete or not, by generation in the order of their ids. */
export async function listGenerationFiles(repository: Repository): Promise<Map<string, string[]>> {
  const files = new Map<string, string[]>();
  for await (const { path } of repository.list(generationsPrefix)) {
    const [, id = ''] = path.split('/');
    files.set(id, [...(files.get(id) ?? []), path]);
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @returns undefined for a file that is missing, null for one that is not JSON. */
export async function readJson(repository: Repository, path: string): Promise<unknown> {
  const source = await repository.read(path);
  if (!source) return undefined;
  const content = await text(source);
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return null;
  }
}

/** Stores a JSON document, readable for its owner alone. */
export async function writeJson(
  repository: Repository,
  path: string,
  document: unknown,
): Promise<void> {
  const file = join(repository.staging, randomUUID());
  await writeFile(file, `${JSON.stringify(document)}\n`, { mode: 0o600 });
  await repository.put(path, file);
}

/** Copies a file of the repository, which must be what was written. @throws OperatorError 1. */
export async function copyVerified(
  repository: Repository,
  path: string,
  sha256: string,
  copy: string,
): Promise<void> {
  await rm(copy, { force: true });
  const into = createWriteStream(copy, { mode: 0o600, flags: 'wx' });
  await writeVerified(repository, path, sha256, into);
}

/** The same into a stream, whose reader must wait for the end before it relies on it. */
export async function writeVerified(
  repository: Repository,
  path: string,
  sha256: string,
  into: Writable,
): Promise<void> {
  const source = await repository.read(path);
  if (!source)
    throw failure(`${path} is missing in ${repository.name}.`, { code: 'missing', setting: 'DIR' });
  const summing = new Summing();
  await pipeline(source, summing.through, into);
  if (summing.sum().sha256 === sha256) return;
  throw failure(`${path} in ${repository.name} is not what was written.`, {
    code: 'damaged',
    setting: 'DIR',
  });
}

/** A local path of a file of the repository. @param copy where to copy it if it is not local. */
export async function localFile(
  repository: Repository,
  path: string,
  copy: string,
): Promise<string> {
  const own = repository.fileAt(path);
  if (own !== undefined) return own;
  const source = await repository.read(path);
  if (!source) throw new Error(`${path} is missing in ${repository.name}`);
  await pipeline(source, createWriteStream(copy, { mode: 0o600 }));
  return copy;
}

/** What a file should contain. */
export const fileSum = z.object({ bytes: z.int().nonnegative(), sha256: z.string() });

export type FileSum = Readonly<z.infer<typeof fileSum>>;

/** Counts and hashes chunks, or what passes through a pipeline. */
export class Summing {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  add(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  }

  readonly through = async function* (
    this: Summing,
    source: AsyncIterable<Buffer>,
  ): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      this.add(chunk);
      yield chunk;
    }
  }.bind(this);

  /** To be called once, at the end. */
  sum(): FileSum {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/** Reads to the end. */
export async function sumOf(source: AsyncIterable<Buffer>): Promise<FileSum> {
  const summing = new Summing();
  for await (const chunk of source) summing.add(chunk);
  return summing.sum();
}

/** What a file of the repository contains; undefined if it is missing. */
export async function sumAt(repository: Repository, path: string): Promise<FileSum | undefined> {
  const source = await repository.read(path);
  return source && (await sumOf(source as AsyncIterable<Buffer>));
}

export const sumOfFile = (path: string): Promise<FileSum> =>
  sumOf(createReadStream(path) as AsyncIterable<Buffer>);

/** The lines of a text, one at a time. A last line without its end, torn by a crash, is omitted. */
export async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of source) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** Characters gathered before they are written to the file. */
const bufferSize = 65_536;

/** Writes a file of lines, one JSON value on each, and hashes it. */
export async function writeLines(path: string, values: AsyncIterable<unknown>): Promise<FileSum> {
  const summing = new Summing();
  const pieces = summing.through(piecesOf(values));
  await writeFile(path, pieces, { mode: 0o600, flush: true });
  return summing.sum();
}

async function* piecesOf(values: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  let buffered = '';
  for await (const value of values) {
    buffered += `${JSON.stringify(value)}\n`;
    if (buffered.length <= bufferSize) continue;
    yield Buffer.from(buffered);
    buffered = '';
  }
  yield Buffer.from(buffered);
}
