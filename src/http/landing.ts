import { createHash } from 'node:crypto';
import { Router } from 'express';
import type { ShownCommand } from '../base/config/shown-command.js';

/** Colors and sizes are those of the console (console/styles/tokens.css). */
export const landingStyle = `
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
  --radius-large: 16px;
  --shadow: 0 1px 2px rgb(0 0 0 / 6%), 0 8px 24px rgb(0 0 0 / 8%);
  --font: system-ui, 'Noto Sans KR', 'Noto Sans CJK KR', 'Apple SD Gothic Neo', sans-serif;
  --mono: ui-monospace, 'SF Mono', Menlo, Consolas, monospace;
  --text-small: 0.8125rem;
  --text-body: 0.9375rem;
  --text-title: 1.5rem;
}
* { box-sizing: border-box; }
body {
  display: grid; align-content: center; justify-content: center; gap: 1.5rem;
  grid-template-columns: minmax(0, 30rem);
  min-height: 100dvh; margin: 0; padding: 2rem 1rem;
  font: var(--text-body)/1.55 var(--font); color: var(--text); background: var(--ground);
  word-break: keep-all; overflow-wrap: anywhere;
}
h1, h2, p, ul, pre { margin: 0; }
h1 { font-size: var(--text-title); font-weight: 650; letter-spacing: -0.015em; line-height: 1.25; }
h2 { font-size: var(--text-body); font-weight: 620; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
main {
  display: grid; gap: 1.5rem; padding: 2rem; border: 1px solid var(--line);
  border-radius: var(--radius-large); background: var(--surface); box-shadow: var(--shadow);
}
section { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; }
section + section { padding-top: 1.5rem; border-top: 1px solid var(--line); }
.button {
  display: grid; place-items: center; min-height: 2.5rem; margin-bottom: 0.5rem; padding: 0 1rem;
  border-radius: var(--radius); background: var(--accent); color: var(--on-accent); font-weight: 550;
}
.button:hover { text-decoration: none; background: color-mix(in oklab, var(--accent), var(--text) 15%); }
.muted { color: var(--muted); }
.small { font-size: var(--text-small); }
ul { display: grid; gap: 0.5rem; padding: 0; list-style: none; }
code, pre { font: 0.875em/1.5 var(--mono); }
pre {
  padding: 0.5rem 0.75rem; white-space: pre-wrap; border-radius: var(--radius); background: var(--sunken);
  user-select: all;
}
@media (width < 30rem) { main { padding: 1.25rem; } }
`;

/** The same as that of the console. */
const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#27b"/><path d="M2 13l4-6 3 4 2-2 3 4z" fill="#fff"/><circle cx="11" cy="5" r="1.5" fill="#fff"/></svg>`,
  );

const english = {
  about: 'This server keeps pictures and where they belong.',
  open: 'Open the console',
  signIn: 'On the server, this prints a link that signs you in:',
  home: 'HOME is the folder that the service was started with.',
  api: 'For programs',
  docs: 'API documentation',
  document: 'OpenAPI document',
  state: 'State of the server',
  tokens: 'Calls need a token. On the server, these issue one:',
};

const korean: typeof english = {
  about: '사진과 그 위치 정보를 보관하는 서버입니다.',
  open: '콘솔 열기',
  signIn: '서버에서 다음 명령을 실행하면 로그인 링크가 나옵니다.',
  home: 'HOME은 서비스를 시작할 때 지정한 폴더입니다.',
  api: '프로그램에서 쓰려면',
  docs: 'API 문서',
  document: 'OpenAPI 문서',
  state: '서버 상태',
  tokens: '호출에는 토큰이 필요합니다. 서버에서 다음 명령으로 발급하세요.',
};

const commands = ({ program, options }: ShownCommand, ...list: readonly string[]): string =>
  `<pre><code>${list.map((words) => `${program} ${words}${options}`).join('\n')}</code></pre>`;

const consoleSection = (words: typeof english, command: ShownCommand): string => `<section>
<a class="button" href="console/">${words.open}</a>
<p class="muted">${words.signIn}</p>
${commands(command, 'console')}
</section>
`;

interface Landing {
  /** Whether the console is enabled. */
  readonly console: boolean;
  readonly command: ShownCommand;
}

/** What the server is, the way to the console, and what programs need. */
const landingPage = (
  language: string,
  words: typeof english,
  landing: Landing,
): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>imgstore</title>
<link rel="icon" href="${icon}">
<style>${landingStyle}</style>
</head>
<body>
<main>
<section>
<h1>imgstore</h1>
<p class="muted">${words.about}</p>
</section>
${landing.console ? consoleSection(words, landing.command) : ''}<section>
<h2>${words.api}</h2>
<ul>
<li><a href="docs">${words.docs}</a></li>
<li><a href="openapi.json">${words.document}</a></li>
<li><a href="readyz">${words.state}</a></li>
</ul>
<p class="muted">${words.tokens}</p>
${commands(landing.command, 'admin token', 'platform create --name "Field survey"')}
${landing.command.options === '' ? '' : `<p class="muted small">${words.home}</p>\n`}</section>
</main>
</body>
</html>
`;

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page runs no scripts and loads nothing. */
const policy = [
  "default-src 'none'",
  `style-src ${hashOf(landingStyle)}`,
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

/** `/`, for a person who has opened the URL of the server in a browser. */
export function landingRouter(landing: Landing): Router {
  const router = Router();
  const pages = { en: landingPage('en', english, landing), ko: landingPage('ko', korean, landing) };
  router.get('/', (request, response) => {
    const language = request.acceptsLanguages(['en', 'ko']) === 'ko' ? 'ko' : 'en';
    response.set(headers).vary('Accept-Language').type('html').send(pages[language]);
  });
  return router;
}
