import { createHash } from 'node:crypto';
import { Router } from 'express';

const style = `
:root { color-scheme: light dark; }
body {
  margin: 0 auto; padding: 3rem 1.5rem; max-width: 38rem;
  font: 1rem/1.6 system-ui, sans-serif;
}
h1 { margin: 0; font-size: 1.6rem; }
p { margin: 0.25rem 0 1.5rem; }
dl { margin: 0; }
dt { font-weight: 600; }
dd { margin: 0 0 1rem; opacity: 0.8; }
code, pre { font: 0.875rem/1.5 ui-monospace, monospace; }
pre {
  overflow-x: auto; padding: 0.75rem 1rem;
  border: 1px solid color-mix(in srgb, currentcolor 25%, transparent); border-radius: 0.5rem;
}
`;

const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#27b"/><path d="M2 13l4-6 3 4 2-2 3 4z" fill="#fff"/><circle cx="11" cy="5" r="1.5" fill="#fff"/></svg>`,
  );

/** The landing page: what the server is, and links to the console, documentation, and state. */
const page = (console: boolean): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>imgstore</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
</head>
<body>
<main>
<h1>imgstore</h1>
<p>This server stores the images of a platform's users.</p>
<dl>
${
  console
    ? `<dt><a href="/console/">Console</a></dt>
<dd>What is stored here, for everyone with a token.</dd>
`
    : ''
}<dt><a href="/docs">API documentation</a></dt>
<dd>Every operation with its fields, errors, and examples, to be tried out here.</dd>
<dt><a href="/openapi.json">OpenAPI document</a></dt>
<dd>The same for programs: generate a client from it.</dd>
<dt><a href="/readyz">State</a></dt>
<dd>Whether database, store, and imaging are ready.</dd>
</dl>
<p>Calls need a token. Whoever runs this server issues one on its terminal:</p>
<pre><code>imgstore admin token
imgstore platform create --name "Field survey"
imgstore help</code></pre>
</main>
</body>
</html>
`;

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page runs no scripts and loads nothing. */
const policy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
};

/**
 * `/`, for a person who has opened the URL of the server in a browser. @param console whether the
 * console is enabled.
 */
export function landingRouter(console: boolean): Router {
  const router = Router();
  router.get('/', (_request, response) => {
    response.set(headers).type('html').send(page(console));
  });
  return router;
}
