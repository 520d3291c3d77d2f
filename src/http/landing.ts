import { createHash } from 'node:crypto';
import { basename, isAbsolute } from 'node:path';
import { Router } from 'express';
import { programName } from '../base/os/command-line.js';

/** Colors and sizes are those of the console (console/styles/tokens.css). */
const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f8, #101214);
  --surface: light-dark(#ffffff, #181b1f);
  --sunken: light-dark(#eef0f2, #0c0e10);
  --text: light-dark(#1b1e22, #e7eaee);
  --muted: light-dark(#59616b, #9ba4af);
  --line: light-dark(#dfe3e7, #2c3238);
  --accent: light-dark(#1d5fbf, #7fb2ff);
  --on-accent: light-dark(#ffffff, #0a1a30);
  --radius: 8px;
  --font: system-ui, -apple-system, 'Segoe UI', 'Noto Sans KR', 'Apple SD Gothic Neo', sans-serif;
  --mono: ui-monospace, 'SF Mono', Menlo, Consolas, monospace;
}
body {
  margin: 0 auto; padding: 3rem 1.5rem; max-width: 38rem;
  font: 0.9375rem/1.55 var(--font); color: var(--text); background: var(--ground);
}
h1, h2, p, dl { margin: 0; }
h1 { font-size: 1.5rem; font-weight: 650; letter-spacing: -0.015em; line-height: 1.25; }
h2 { font-size: 1rem; font-weight: 620; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
section {
  display: grid; gap: 0.75rem; margin-top: 1.5rem; padding: 1.25rem;
  border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface);
}
.button {
  justify-self: start; padding: 0.5rem 0.875rem; border-radius: 8px;
  background: var(--accent); color: var(--on-accent); font-weight: 550;
}
dt { font-weight: 550; }
dd { margin: 0 0 0.5rem; }
dd, .muted { color: var(--muted); }
code, pre { font: 0.875em/1.5 var(--mono); }
pre { margin: 0; overflow-x: auto; padding: 0.75rem; border-radius: 8px; background: var(--sunken); }
`;

/** The same as that of the console. */
const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#27b"/><path d="M2 13l4-6 3 4 2-2 3 4z" fill="#fff"/><circle cx="11" cy="5" r="1.5" fill="#fff"/></svg>`,
  );

const consoleSection = (program: string): string => `<section>
<h2>Console</h2>
<p>Shows what is stored here to everyone with a token.</p>
<a class="button" href="console/">Open the console</a>
<p class="muted">On the server, this prints a link that signs you in:</p>
<pre><code>${program} console</code></pre>
</section>
`;

/** The landing page: what the server is, and links to the console, documentation, and state. */
const landingPage = (console: boolean, program: string): string => `<!doctype html>
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
<p class="muted">This server stores the images of a platform's users.</p>
${console ? consoleSection(program) : ''}<section>
<h2>API</h2>
<dl>
<dt><a href="docs">API documentation</a></dt>
<dd>Every operation with its fields, errors, and examples, to be tried out here.</dd>
<dt><a href="openapi.json">OpenAPI document</a></dt>
<dd>The same for programs: generate a client from it.</dd>
<dt><a href="readyz">State</a></dt>
<dd>Whether database, store, and imaging are ready.</dd>
</dl>
<p class="muted">Calls need a token. On the server, these issue one:</p>
<pre><code>${program} admin token
${program} platform create --name "Field survey"</code></pre>
<p class="muted">If the service was started with <code>--home</code>, commands need it, too.</p>
</section>
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

/** The command as it is typed here, without revealing where it is installed. */
function publicName(): string {
  const name = programName();
  return isAbsolute(name) ? basename(name) : name;
}

/**
 * `/`, for a person who has opened the URL of the server in a browser. @param console whether the
 * console is enabled.
 */
export function landingRouter(console: boolean): Router {
  const router = Router();
  const page = landingPage(console, publicName());
  router.get('/', (_request, response) => {
    response.set(headers).type('html').send(page);
  });
  return router;
}
