import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { packageFile } from '../../base/installed-files.js';

/** Where `npm run build` leaves the console. */
export const builtConsole = packageFile('dist/console');

export type Encoding = 'br' | 'gzip' | 'identity';

/** One form of a file, ready to be sent. */
export interface Content {
  readonly bytes: Buffer;
  readonly etag: string;
}

export interface ConsoleFile {
  readonly type: string;
  /** Whether its name contains a hash of its content, which therefore never changes. */
  readonly immutable: boolean;
  readonly contents: Readonly<Partial<Record<Encoding, Content>>> & { readonly identity: Content };
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** What the build appends to the name of a compressed file. */
const suffixes = { br: '.br', gzip: '.gz' } as const;
const isCompressed = (name: string): boolean =>
  Object.values(suffixes).some((suffix) => name.endsWith(suffix));

const contentOf = (bytes: Buffer): Content => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
});

/** A file made at run time rather than by the build. */
export const madeFile = (name: string, text: string): ConsoleFile => ({
  type: types[extname(name)] ?? 'application/octet-stream',
  immutable: false,
  contents: { identity: contentOf(Buffer.from(text)) },
});

/** All files of a built console, by their paths in it. @throws if there is none. */
export async function readConsole(folder: string): Promise<ReadonlyMap<string, ConsoleFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const found = new Set(names);
  const files = new Map<string, ConsoleFile>();
  for (const name of names.filter((each) => !isCompressed(each))) {
    const read = async (suffix: string): Promise<Content> =>
      contentOf(await readFile(join(folder, name + suffix)));
    files.set(name, {
      type: types[extname(name)] ?? 'application/octet-stream',
      immutable: name.startsWith('assets/'),
      contents: {
        identity: await read(''),
        ...(found.has(name + suffixes.br) && { br: await read(suffixes.br) }),
        ...(found.has(name + suffixes.gzip) && { gzip: await read(suffixes.gzip) }),
      },
    });
  }
  return files;
}
