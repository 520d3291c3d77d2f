import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative } from 'node:path';
import type { Config } from '../base/config/options.js';
import { ServiceError } from '../base/errors/catalogue.js';
import { packageFile } from '../base/installed-files.js';
import type { PathHandler } from '../http/app.js';
import { isFresh } from '../http/ranged-response.js';
import { methodNotAllowed } from '../http/envelope.js';
import { pathOf } from '../http/host.js';
import { namesS3 } from '../store/s3/settings.js';

/** Where `npm run build` leaves the console. */
export const builtConsole = packageFile('dist/console');

const consolePath = '/console/';

const immutable = 'public, max-age=31536000, immutable';

/** The file that the console requests before its first page. */
const settingsFile = 'settings.json';

/**
 * Serves the console from memory; its files are read when it is first opened. Every path that is
 * not a file belongs to a page, and is answered with the frame of all pages.
 */
export function consoleHandler(config: Config, folder = builtConsole): PathHandler {
  const policy = contentSecurityPolicy(config);
  const settings = madeFile(settingsFile, JSON.stringify(consoleSettings(config)));
  let reading: ReturnType<typeof readConsole> | undefined;
  const files = (): ReturnType<typeof readConsole> => {
    reading ??= readConsole(folder).catch((cause: unknown) => {
      reading = undefined;
      const message = 'This build contains no console. Run "npm run build".';
      throw new ServiceError('not_found', { message, cause });
    });
    return reading;
  };
  return {
    serves: (target) => {
      const path = pathOf(target);
      return path.startsWith(consolePath) || path === '/console';
    },
    handle: async (request, response) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw methodNotAllowed(response, 'GET, HEAD');
      }
      const path = pathOf(request.url);
      if (path === '/console') {
        // Relative, since a proxy may have stripped a prefix.
        response.writeHead(308, { Location: 'console/', 'Content-Length': '0' }).end();
        return;
      }
      const name = path.slice(consolePath.length);
      const file = name === settingsFile ? settings : fileAt(await files(), name);
      send(file, policy, request, response);
    },
  };
}

function fileAt(files: ReadonlyMap<string, ConsoleFile>, name: string): ConsoleFile {
  // No fallback for assets of another version: a page in place of a script would only confuse.
  const file =
    files.get(name) ?? (name.startsWith('assets/') ? undefined : files.get('index.html'));
  if (!file) throw new ServiceError('not_found');
  return file;
}

function send(
  { contents, type, immutable: unchanging }: ConsoleFile,
  policy: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const encoding = accepted(request.headers['accept-encoding']).find((each) => contents[each]);
  const { bytes, etag } = contents[encoding ?? 'identity'] ?? contents.identity;
  const headers = {
    'Cache-Control': unchanging ? immutable : 'no-cache',
    'Content-Security-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    ETag: etag,
    Vary: 'Accept-Encoding',
  };
  if (isFresh(request.headers, { etag })) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, {
    ...headers,
    'Content-Type': type,
    'Content-Length': bytes.length,
    ...(encoding && encoding !== 'identity' && { 'Content-Encoding': encoding }),
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** The encodings that a client accepts, the smallest first (RFC 9110, 12.5.3). */
function accepted(header = ''): Encoding[] {
  const words = header
    .toLowerCase()
    .split(',')
    .map((word) => word.trim());
  const accepts = (name: string): boolean =>
    words.some((word) => word.split(';')[0] === name && !/;\s*q=0(\.0*)?$/.test(word));
  return (['br', 'gzip', 'identity'] as const).filter(
    (name) => name === 'identity' || accepts(name),
  );
}

type Encoding = 'br' | 'gzip' | 'identity';

/** One form of a file, ready to be sent. */
interface Content {
  readonly bytes: Buffer;
  readonly etag: string;
}

interface ConsoleFile {
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
const madeFile = (name: string, text: string): ConsoleFile => ({
  type: types[extname(name)] ?? 'application/octet-stream',
  immutable: false,
  contents: { identity: contentOf(Buffer.from(text)) },
});

/** All files of a built console, by their paths in it. @throws if there is none. */
async function readConsole(folder: string): Promise<ReadonlyMap<string, ConsoleFile>> {
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

/** Other origins that signed URLs, and so the pictures of a page, may point to. */
function pictureOrigins(config: Config): string[] {
  const urls = [config.public_url];
  if (namesS3(config) && config['s3.delivery'] === 'direct') {
    urls.push(config['s3.public_endpoint'] ?? config['s3.endpoint'][0]);
  }
  return urls.filter((url) => url !== undefined).map((url) => new URL(url).origin);
}

/**
 * The page may run its own scripts and styles, call this server, and show pictures of the store and,
 * if configured, tiles of a map. Injected markup can do nothing.
 */
export function contentSecurityPolicy(config: Config): string {
  const tiles = config['map.basemap'];
  const maps = tiles === undefined ? [] : [new URL(tiles).origin];
  const pictures = new Set(["'self'", 'data:', 'blob:', ...pictureOrigins(config), ...maps]);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${[...pictures].join(' ')}`,
    `connect-src ${["'self'", ...maps].join(' ')}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** What the console needs to know about the service, regardless of who signs in. */
interface ConsoleSettings {
  /** IANA name of the zone of all days and times in the API. */
  readonly time_zone: string;
  /** The base map, if not the one included with the console. */
  readonly basemap?: { readonly tiles: string; readonly attribution?: string };
}

export function consoleSettings(config: Config): ConsoleSettings {
  const tiles = config['map.basemap'];
  const attribution = config['map.attribution'];
  return {
    time_zone: config.timezone,
    ...(tiles !== undefined && {
      basemap: { tiles, ...(attribution !== undefined && { attribution }) },
    }),
  };
}
