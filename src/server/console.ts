import type { Home } from '../base/config/home.js';
import type { Config } from '../base/config/options.js';
import { shownCommand, type ShownCommand } from '../base/config/shown-command.js';
import { ServiceError } from '../base/errors/catalogue.js';
import type { PathHandler } from '../http/app.js';
import type { OidcProvider } from '../http/auth/oidc.js';
import { methodNotAllowed } from '../http/envelope.js';
import { assertMethod } from '../http/files.js';
import { pathOf } from '../http/host.js';
import { namesS3 } from '../store/s3/settings.js';
import { type BuiltFile, type BuiltPages, sendBuilt } from './built-pages.js';
import { officeExitPath, officePath } from './office-sign-in.js';

const consolePath = '/console/';

/** What the console asks for when somebody signs out: the browser forgets the pictures that it has cached. */
const signedOutPath = `${consolePath}signed-out`;

/**
 * Serves the console. Every path that is not a file belongs to a page, and is answered with the
 * frame of all pages. @param office signs people in at a provider, if there is one.
 */
export function consoleHandler(
  config: Config,
  pages: BuiltPages,
  office: PathHandler | undefined,
): PathHandler {
  const policy = contentSecurityPolicy(config);
  return {
    serves: (target) => {
      const path = pathOf(target);
      return path.startsWith(consolePath) || path === '/console';
    },
    handle: async (request, response) => {
      if (office?.serves(request.url)) return office.handle(request, response);
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw methodNotAllowed(response, 'GET, HEAD');
      }
      const path = pathOf(request.url);
      if (path === '/console') {
        // Relative, since a proxy may have stripped a prefix.
        response.writeHead(308, { Location: 'console/', 'Content-Length': '0' }).end();
        return;
      }
      if (path === signedOutPath) {
        const headers = { 'Clear-Site-Data': '"cache"', 'Cache-Control': 'no-store' };
        response.writeHead(204, headers).end();
        return;
      }
      const file = fileAt(await pages.files(), path.slice(consolePath.length));
      sendBuilt(file, policy, request, response);
    },
  };
}

function fileAt(files: ReadonlyMap<string, BuiltFile>, name: string): BuiltFile {
  // No fallback for assets of another version: a page in place of a script would only confuse.
  const file =
    files.get(name) ?? (name.startsWith('assets/') ? undefined : files.get('index.html'));
  if (!file) throw new ServiceError('not_found');
  return file;
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
 * The page may run its own scripts and styles, call this server, show pictures of the store and read
 * their pixels, which are drawn on, and, if configured, load tiles of a map. Injected markup can do nothing.
 */
export function contentSecurityPolicy(config: Config): string {
  const tiles = config['map.basemap'];
  const maps = tiles === undefined ? [] : [new URL(tiles).origin];
  const others = [...pictureOrigins(config), ...maps];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${[...new Set(["'self'", 'data:', 'blob:', ...others])].join(' ')}`,
    `connect-src ${[...new Set(["'self'", ...others])].join(' ')}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** What the console needs to know about the service, regardless of who signs in. */
interface ConsoleSettings {
  /** IANA name of the zone of all days and times in the API. */
  readonly time_zone: string;
  /** Days that things stay in the trash; 0: as long as nobody deletes them. */
  readonly trash_days: number;
  /** For what only the terminal can do. */
  readonly command: ShownCommand;
  /** Where people sign in with the account of their office, if they can. */
  readonly office?: { readonly url: string; readonly exit: string; readonly provider: string };
  /** The base map, if not the one included with the console. */
  readonly basemap?: { readonly tiles: string; readonly attribution?: string };
}

export function consoleSettings(
  config: Config,
  home: Home,
  provider?: OidcProvider,
): ConsoleSettings {
  const tiles = config['map.basemap'];
  const attribution = config['map.attribution'];
  return {
    time_zone: config.timezone,
    trash_days: config['trash.retention_days'],
    command: shownCommand(home),
    ...(provider && {
      office: {
        url: provider.settings.publicUrl + officePath,
        exit: provider.settings.publicUrl + officeExitPath,
        provider: provider.settings.issuer.host,
      },
    }),
    ...(tiles !== undefined && {
      basemap: { tiles, ...(attribution !== undefined && { attribution }) },
    }),
  };
}

/** What the page of proofs allows itself: its own script and style, by their hashes, and no request at all. */
const ownPolicy = /http-equiv="Content-Security-Policy" content="([^"]+)"/;

/** Serves `/check`, which checks proofs in the browser alone, to anybody. */
export function checkPageHandler(pages: BuiltPages): PathHandler {
  let policy: string | undefined;
  return {
    serves: (target) => pathOf(target) === '/check',
    handle: async (request, response) => {
      assertMethod(request, response);
      const file = (await pages.files()).get('check.html');
      if (!file) throw new ServiceError('not_found');
      policy ??= ownPolicy.exec(file.contents.identity.bytes.toString())?.[1] ?? '';
      sendBuilt(file, `${policy}; frame-ancestors 'none'`, request, response);
    },
  };
}
