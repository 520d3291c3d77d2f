import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Router } from 'express';
import type { ShownCommand } from '../base/config/shown-command.js';
import { packageFile } from '../base/installed-files.js';

/** Read once: the policy has its hash. */
const landingStyle = readFileSync(packageFile('assets/landing.css'), 'utf8');

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

export type Language = 'en' | 'ko';

/** A page of its own, in the style of the others. @param content HTML. */
export const smallPage = (language: Language, content: string): string => `<!doctype html>
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
${content}</main>
</body>
</html>
`;

/** Text as HTML. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** What the server is, the way to the console, and what programs need. */
const landingContent = (
  words: typeof english,
  landing: Landing,
): string => `<p class="muted">${words.about}</p>
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

export const smallPageHeaders = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
};

/** `/`, for a person who has opened the URL of the server in a browser. */
export function landingRouter(landing: Landing): Router {
  const router = Router();
  const pages = {
    en: smallPage('en', landingContent(english, landing)),
    ko: smallPage('ko', landingContent(korean, landing)),
  };
  router.get('/', (request, response) => {
    const language = request.acceptsLanguages(['en', 'ko']) === 'ko' ? 'ko' : 'en';
    response.set(smallPageHeaders).vary('Accept-Language').type('html').send(pages[language]);
  });
  return router;
}
