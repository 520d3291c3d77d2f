import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { forwardedPrefix } from './host.js';
import { acceptedCoding } from './accept.js';
import { isFresh } from './ranged-response.js';
import type { Json } from './openapi/schemas.js';

/**
 * The script of the page at /docs. Starts Swagger UI without the validator badge, which would send
 * a request to the Internet. Prefills the required fields of an operation and, after authorization
 * with the token of a platform or user, the ids in the token; everything can be overwritten.
 */
const starter = `const idsOf = (token) => {
  const payload = token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/');
  const { sub, scope, platform_id } = JSON.parse(atob(payload));
  return scope === 'user' ? { user_id: sub, platform_id } : { platform_id: sub };
};

const fillIn = (ui, scheme, token) => {
  let ids;
  try {
    ids = idsOf(token);
  } catch {
    return; // no token; the server will say so
  }
  const { paths } = ui.specSelectors.specJson().toJS();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { security, parameters }] of Object.entries(methods)) {
      if (!security.some((one) => scheme in one)) continue;
      for (const { name, in: place } of parameters) {
        if (place !== 'path' || !ids[name]) continue;
        ui.specActions.changeParam([path, method], name, place, ids[name]);
      }
    }
  }
};

const fillInAll = (ui, schemes) => {
  for (const [scheme, { value }] of Object.entries(schemes)) fillIn(ui, scheme, value);
};

const ownIds = (ui) => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize) => (schemes) => {
          const done = authorize(schemes);
          fillInAll(ui, schemes);
          return done;
        },
      },
    },
  },
});

// Swagger UI would prefill every field of a form, and send empty ones.
const blankUnlessRequired = () => ({
  wrapComponents: {
    JsonSchemaForm: (Form, { React }) => (props) =>
      React.createElement(Form, {
        ...props,
        dispatchInitialValue: props.dispatchInitialValue && props.required,
      }),
    ParameterIncludeEmpty: (Choice, { React }) => (props) =>
      React.createElement(Choice, {
        ...props,
        isIncludedOptions: { ...props.isIncludedOptions, defaultValue: false },
      }),
  },
});

const ui = SwaggerUIBundle({
  url: new URL('../openapi.json', document.currentScript.src).href,
  dom_id: '#api',
  deepLinking: true,
  validatorUrl: null,
  showExtensions: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: true,
  plugins: [ownIds, blankUnlessRequired],
  onComplete: () => fillInAll(ui, ui.authSelectors.authorized().toJS()),
});
`;

/**
 * The page at /docs. Script and style are separate files, so that the content security policy can
 * forbid inline ones. Links are relative, since a proxy may have stripped a prefix.
 */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>imgstore API</title>
    <link rel="icon" href="docs/favicon-32x32.png" />
    <link rel="stylesheet" href="docs/swagger-ui.css" />
  </head>
  <body>
    <div id="api"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

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
  add('/docs', () => own('text/html', page));
  add('/docs/start.js', () => own('text/javascript', starter));
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
