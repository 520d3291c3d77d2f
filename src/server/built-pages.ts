import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative } from 'node:path';
import { ServiceError } from '../base/errors/catalogue.js';
import { packageFile } from '../base/installed-files.js';
import { acceptedCoding } from '../http/accept.js';
import { isFresh } from '../http/ranged-response.js';

/** Where `npm run build` leaves the console and the page of links. */
export const builtConsole = packageFile('dist/console');

const immutable = 'public, max-age=31536000, immutable';

/** The files of the console and of the page of links, read into memory when first requested. */
export class BuiltPages {
  #reading: ReturnType<typeof readBuild> | undefined;

  /** @param made files made at run time, by their paths. */
  constructor(private readonly made: Readonly<Record<string, string>>) {}

  /** By their paths. @throws ServiceError `not_found` if there is no build. */
  files(): ReturnType<typeof readBuild> {
    this.#reading ??= this.#read().catch((cause: unknown) => {
      this.#reading = undefined;
      const message = 'This build contains no console. Run "npm run build".';
      throw new ServiceError('not_found', { message, cause });
    });
    return this.#reading;
  }

  async #read(): ReturnType<typeof readBuild> {
    const made = Object.entries(this.made).map(
      ([name, text]) => [name, madeFile(name, text)] as const,
    );
    return new Map([...(await readBuild(builtConsole)), ...made]);
  }
}

/** Answers GET or HEAD with a file; with 304 if the client has it. @param policy of pages. */
export function sendBuilt(
  file: BuiltFile,
  policy: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { etag } = chosenContent(file, request);
  const headers = { ...headersOf(file, policy), ETag: etag };
  if (isFresh(request.headers, { etag })) response.writeHead(304, headers).end();
  else sendContent(file, { status: 200, headers }, request, response);
}

/** Answers with a file in the smallest form that the client accepts. */
export function sendContent(
  file: BuiltFile,
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { bytes, encoding } = chosenContent(file, request);
  response.writeHead(status, {
    ...headers,
    'Content-Type': file.type,
    'Content-Length': bytes.length,
    ...(encoding && { 'Content-Encoding': encoding }),
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function chosenContent({ contents }: BuiltFile, { headers }: IncomingMessage) {
  const there = (['br', 'gzip'] as const).filter((each) => contents[each]);
  const encoding = acceptedCoding(headers['accept-encoding'], there);
  return { encoding, ...(contents[encoding ?? 'identity'] ?? contents.identity) };
}

export const headersOf = ({ immutable: unchanging }: BuiltFile, policy: string) => ({
  'Cache-Control': unchanging ? immutable : 'no-cache',
  'Content-Security-Policy': policy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  Vary: 'Accept-Encoding',
});

type Encoding = 'br' | 'gzip' | 'identity';

/** One form of a file, ready to be sent. */
interface Content {
  readonly bytes: Buffer;
  readonly etag: string;
}

export interface BuiltFile {
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
  '.webmanifest': 'application/manifest+json',
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
const madeFile = (name: string, text: string): BuiltFile => ({
  type: types[extname(name)] ?? 'application/octet-stream',
  immutable: false,
  contents: { identity: contentOf(Buffer.from(text)) },
});

/** All files of a build, by their paths in it. @throws if there is none. */
async function readBuild(folder: string): Promise<ReadonlyMap<string, BuiltFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const found = new Set(names);
  const files = new Map<string, BuiltFile>();
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
