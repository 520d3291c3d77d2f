import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../../base/config/options.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { isFresh } from '../../http/conditional-request.js';
import type { PathHandler } from '../../http/app.js';
import { methodNotAllowed } from '../../http/envelope.js';
import { pathOf } from '../../http/target.js';
import { builtConsole, madeFile, readConsole, type ConsoleFile, type Encoding } from './files.js';
import { contentSecurityPolicy } from './policy.js';
import { consoleSettings } from './settings.js';

export const consolePath = '/console/';

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
