import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { packageFile } from '../base/installed-files.js';
import { forwardedPrefix } from './host.js';
import { acceptedCoding } from './accept.js';
import { isFresh } from './ranged-response.js';
import type { Json } from './openapi/schemas.js';

/** The page may load only its own script and style, and connect only to this server. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * A file of the page at /docs. Its script is a separate file, so that the content security policy can forbid
 * inline ones, and its links are relative, since a proxy may have stripped a prefix.
 */
const ownFile = (name: string): string => readFileSync(packageFile(`assets/docs/${name}`), 'utf8');

/** The files that the page needs; the package contains many more. */
const assets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

// Resolved, not imported: importing the package's main module would load all of Swagger UI into the
// server.
const assetFolder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

/** A file in memory, ready to be sent. */
interface Asset {
  readonly bytes: Buffer;
  readonly type: string;
  /** How long a browser may use it without revalidating. */
  readonly caching: 'no-cache' | 'public, max-age=86400';
}

const own = (type: string, content: string): Asset => ({
  bytes: Buffer.from(content),
  type,
  caching: 'no-cache',
});

/**
 * `/openapi.json`, and a human-readable version at `/docs`. Each is created on the first request:
 * the service starts faster, and most installations never need them. @param document whose server
 * is `/`, unless its URL is configured. @param behindProxy whether the headers of proxies are
 * trusted.
 */
export function documentRouter(document: () => Json, behindProxy: boolean): Router {
  const router = Router();
  const add = (path: string, make: () => Asset): void => void router.get(path, serve(make));
  let text: string | undefined;
  const written = (): string => (text ??= JSON.stringify(document()));
  router.get('/openapi.json', (request, response, next) => {
    const prefix = behindProxy ? forwardedPrefix(request) : '';
    if (prefix === '') return next();
    // Made for this request, as anyone may send any prefix: not compressed, which would take longer.
    const below = written().replace('"servers":[{"url":"/"}]', `"servers":[{"url":"${prefix}"}]`);
    send(request, response, withTag(own('application/json', below)));
  });
  add('/openapi.json', () => own('application/json', written()));
  router.get('/docs', (request, response, next) => {
    // There, its relative links would lead elsewhere.
    if (request.path.endsWith('/')) response.redirect(308, '../docs');
    else next();
  });
  add('/docs', () => own('text/html', ownFile('index.html')));
  add('/docs/start.js', () => own('text/javascript', ownFile('start.js')));
  for (const name of assets) {
    add(`/docs/${name}`, () => ({
      bytes: readFileSync(join(assetFolder, name)),
      type: extname(name),
      caching: 'public, max-age=86400',
    }));
  }
  return router;
}

/** Serves from memory, compressed once, since anyone may request these as often as they like. */
function serve(make: () => Asset): RequestHandler {
  let made: ReturnType<typeof encodings> | undefined;
  return (request, response) => {
    made ??= encodings(make());
    const zipped = acceptedCoding(request.headers['accept-encoding'], ['gzip']) === 'gzip';
    if (zipped) response.set('Content-Encoding', 'gzip');
    send(request, response, zipped ? made.gzip : made.identity);
  };
}

/** When this process began, which is not before the files of its version were written. */
const lastModified = new Date().toUTCString();

function send(
  request: Request,
  response: Response,
  { bytes, type, caching, etag }: ReturnType<typeof withTag>,
): void {
  response.vary('Accept-Encoding');
  response.set({
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': caching,
    ETag: etag,
  });
  if (isFresh(request.headers, { etag, lastModified })) response.status(304).end();
  else response.type(type).send(bytes);
}

const encodings = (asset: Asset) => ({
  identity: withTag(asset),
  gzip: withTag({ ...asset, bytes: gzipSync(asset.bytes) }),
});

const withTag = (asset: Asset) => ({
  ...asset,
  etag: `"${createHash('sha256').update(asset.bytes).digest('base64url')}"`,
});
