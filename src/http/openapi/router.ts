import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Router } from 'express';
import type { RequestHandler } from 'express';
import { isFresh } from '../conditional-request.js';
import type { Json } from './json-schema.js';
import { page } from './docs-page.js';
import { starter } from './docs-starter.js';

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

/**
 * `/openapi.json`, and a human-readable version at `/docs`. Each is created on the first request:
 * the service starts faster, and most installations never need them.
 */
export function documentRouter(document: () => Json): Router {
  const router = Router();
  const add = (path: string, make: () => Asset): void => void router.get(path, serve(make));
  const own = (type: string, content: () => string) => (): Asset => {
    return { bytes: Buffer.from(content()), type, caching: 'no-cache' };
  };
  add(
    '/openapi.json',
    own('application/json', () => JSON.stringify(document())),
  );
  add(
    '/docs',
    own('text/html', () => page),
  );
  add(
    '/docs/start.js',
    own('text/javascript', () => starter),
  );
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
  const lastModified = new Date().toUTCString();
  let made: ReturnType<typeof encodings> | undefined;
  return (request, response) => {
    made ??= encodings(make());
    const zipped = request.acceptsEncodings(['gzip', 'identity']) === 'gzip';
    const { bytes, type, caching, etag } = zipped ? made.gzip : made.identity;
    const validators = { etag, lastModified };
    response.vary('Accept-Encoding');
    if (zipped) response.set('Content-Encoding', 'gzip');
    response.set({
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': caching,
      ETag: etag,
    });
    if (isFresh(request.headers, validators)) response.status(304).end();
    else response.type(type).send(bytes);
  };
}

const encodings = (asset: Asset) => ({
  identity: withTag(asset),
  gzip: withTag({ ...asset, bytes: gzipSync(asset.bytes) }),
});

const withTag = (asset: Asset) => ({
  ...asset,
  etag: `"${createHash('sha256').update(asset.bytes).digest('base64url')}"`,
});
