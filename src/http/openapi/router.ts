import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import type { Response } from 'express';
import { isFresh } from '../conditions.js';
import type { Json } from './json-schema.js';
import { page, starter } from './page.js';

/** The page runs its own script and style, talks to this server, and nothing else. */
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

/** What the page needs out of the package, which has much more. */
const assets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

// Resolved, not imported: the package's main module would load all of Swagger UI into the server.
const assetFolder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

const dayMs = 86_400_000;

/** `/openapi.json`, and the same for people at `/docs`. */
export function documentRouter(document: Json): Router {
  const router = Router();
  const text = JSON.stringify(document);
  const validators = {
    etag: `"${createHash('sha256').update(text).digest('base64url')}"`,
    lastModified: new Date().toUTCString(),
  };
  router.get('/openapi.json', (request, response) => {
    guard(response).set({ ETag: validators.etag, 'Cache-Control': 'no-cache' });
    if (isFresh(request.headers, validators)) response.status(304).end();
    else response.type('application/json').send(text);
  });
  router.get('/docs', (_request, response) => send(response, 'text/html', page));
  router.get('/docs/start.js', (_request, response) => send(response, 'text/javascript', starter));
  for (const name of assets) {
    router.get(`/docs/${name}`, (_request, response) => {
      guard(response).sendFile(name, { root: assetFolder, maxAge: dayMs });
    });
  }
  return router;
}

function send(response: Response, type: string, text: string): void {
  guard(response).set('Cache-Control', 'no-cache').type(type).send(text);
}

const guard = (response: Response): Response =>
  response.set({
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
