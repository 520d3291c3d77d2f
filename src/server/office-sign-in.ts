import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../base/telemetry/logger.js';
import { minuteMs, secondMs } from '../base/units.js';
import { runAsCaller } from '../database/fairness.js';
import type { PathHandler } from '../http/app.js';
import {
  callbackPath,
  type Flow,
  type OidcProvider,
  reasonOf,
  refusalBy,
} from '../http/auth/oidc.js';
import type { MasterKey } from '../http/auth/secrets.js';
import type { ConsoleSignIn } from '../http/auth/sign-in.js';
import { methodNotAllowed } from '../http/envelope.js';
import { clientIp, pathOf, queryOf } from '../http/host.js';
import { escaped, type Language, smallPage, smallPageHeaders } from '../http/landing.js';
import type { RateLimit } from '../http/rate-limit.js';

/** Below `public_url`: lead to the provider. */
export const officePath = '/console/sign-in';
export const officeExitPath = '/console/sign-out';

/** How long a sign-in may take, in milliseconds. */
const patienceMs = 10 * minuteMs;
const label = 'sign-in at the provider';

interface OfficeParts {
  readonly provider: OidcProvider;
  readonly consoleSignIn: ConsoleSignIn;
  readonly master: MasterKey;
  readonly rateLimit: RateLimit;
  readonly trustProxy: number;
  readonly logger: Logger;
}

/**
 * Signs people in to the console with the account of their office. What has to come back is sealed in a
 * cookie of their browser, so that nothing is kept for those who never return (docs/adr/0029).
 */
export function officeSignIn(parts: OfficeParts): PathHandler {
  return {
    serves: (target) => steps.has(pathOf(target)),
    handle: async (request, response) => {
      if (request.method !== 'GET') throw methodNotAllowed(response, 'GET');
      parts.rateLimit.countSignIn(clientIp(request, parts.trustProxy));
      try {
        await steps.get(pathOf(request.url))?.(parts, request, response);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        sendRefusal(error, request, response);
      }
    },
  };
}

type Step = (
  parts: OfficeParts,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>;

const steps: ReadonlyMap<string, Step> = new Map([
  [officePath, start],
  [callbackPath, finish],
  [officeExitPath, leave],
]);

async function start(
  parts: OfficeParts,
  _request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { provider, master } = parts;
  const { location, flow } = await provider.begin().catch(refusing(parts));
  const sealed = Buffer.from(JSON.stringify({ ...flow, until: Date.now() + patienceMs }));
  const value = master.seal(sealed, label).toString('base64url');
  redirect(response, location, cookie(provider, value, patienceMs));
}

async function finish(
  parts: OfficeParts,
  { headers, url }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { provider, consoleSignIn, master } = parts;
  const { publicUrl } = provider.settings;
  const query = queryOf(url);
  const flow = flowIn(headers.cookie, cookieName(provider), master);
  // A stranger's answer to a stranger's question, or one that somebody wants another browser to give.
  if (!flow || new URLSearchParams(query).get('state') !== flow.state) throw new Refusal('stale');
  const { name, person } = await provider.finish(query, flow).catch(refusing(parts));
  const code = person && (await runAsCaller(label, () => consoleSignIn.makeCodeFor(person)));
  if (code === undefined) throw new Refusal('nobody', [name, provider.claims.join(', ')]);
  // After a #: browsers do not send that part, and proxies do not log it.
  redirect(response, `${publicUrl}/console/#code=${code}`, cookie(provider, '', 0));
}

/** Whoever has signed out here is still signed in there, and the next one at the same browser would be, too. */
async function leave(
  parts: OfficeParts,
  _request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { provider } = parts;
  const location = await provider.exit().catch(refusing(parts));
  if (location === undefined) throw new Refusal('noExit', [provider.settings.issuer.host]);
  redirect(response, location);
}

function redirect(response: ServerResponse, location: string, setCookie?: string): void {
  const headers = { Location: location, 'Content-Length': '0', 'Referrer-Policy': 'no-referrer' };
  response.writeHead(302, { ...headers, ...(setCookie && { 'Set-Cookie': setCookie }) }).end();
}

const isSecure = ({ settings }: OidcProvider): boolean => settings.publicUrl.startsWith('https:');

/** With the prefix, no neighboring host can set it (RFC 6265bis, section 4.1.3). */
const cookieName = (provider: OidcProvider): string =>
  `${isSecure(provider) ? '__Host-' : ''}imgstore_sign_in`;

const cookie = (provider: OidcProvider, value: string, ms: number): string =>
  `${cookieName(provider)}=${value}; Max-Age=${ms / secondMs}; Path=/; HttpOnly; SameSite=Lax${isSecure(provider) ? '; Secure' : ''}`;

/** What this service sealed in the cookie, unless that has taken too long. */
function flowIn(cookies = '', name: string, master: MasterKey): Flow | undefined {
  const pairs = cookies.split(';').map((pair) => pair.trim().split('='));
  const sealed = pairs.find(([key]) => key === name)?.[1] ?? '';
  try {
    const opened = master.unseal(Buffer.from(sealed, 'base64url'), label).toString();
    const { until, ...flow } = JSON.parse(opened) as Flow & { readonly until: number };
    return until > Date.now() ? flow : undefined;
  } catch {
    return undefined; // sealed by nobody, or with another key
  }
}

const english = {
  stale:
    'This sign-in was begun in another browser, has been used, or took longer than ten minutes.',
  silent: 'The provider does not answer, or not as it should. The log of imgstore says more.',
  refused: 'The provider has refused the sign-in. The log of imgstore says more.',
  nobody:
    'You have signed in as {0}, but nothing here is open to this account. Ask whoever runs this server. What decides are these claims of the provider: {1}.',
  noExit: 'The provider has no page that signs out. Sign out at {0} itself.',
  again: 'Back to the console',
};

const korean: typeof english = {
  stale: '다른 브라우저에서 시작했거나, 이미 사용했거나, 10분이 지난 로그인입니다.',
  silent:
    '로그인 서버가 응답하지 않거나 올바르게 응답하지 않습니다. 자세한 내용은 imgstore의 로그에 있습니다.',
  refused: '로그인 서버가 로그인을 거부했습니다. 자세한 내용은 imgstore의 로그에 있습니다.',
  nobody:
    '{0}(으)로 로그인했지만 이 계정에는 열린 것이 없습니다. 서버 담당자에게 문의하세요. 로그인 서버의 다음 클레임으로 정해집니다: {1}.',
  noExit: '로그인 서버에 로그아웃하는 페이지가 없습니다. {0}에서 직접 로그아웃하세요.',
  again: '콘솔로 돌아가기',
};

const statuses = { stale: 400, nobody: 403, refused: 403, noExit: 404, silent: 503 } as const;

/** Why somebody is not signed in, or out. */
class Refusal extends Error {
  /** @param values of the sentence. @param said by the provider, for the reader to see. */
  constructor(
    readonly kind: keyof typeof statuses,
    readonly values: readonly string[] = [],
    readonly said?: string,
  ) {
    super(kind);
  }
}

/** Tells the person what the provider says, or that it says nothing sensible; the log has the reason. */
const refusing =
  ({ logger }: OfficeParts) =>
  (error: unknown): never => {
    logger.warn('somebody could not sign in at the provider', { reason: reasonOf(error) });
    const said = refusalBy(error);
    throw new Refusal(said === undefined ? 'silent' : 'refused', [], said);
  };

/** Everything that somebody else has said is text in it, never HTML. */
function sendRefusal(
  { kind, values, said }: Refusal,
  { headers }: IncomingMessage,
  response: ServerResponse,
): void {
  const language: Language = /^\s*ko\b/i.test(headers['accept-language'] ?? '') ? 'ko' : 'en';
  const words = language === 'ko' ? korean : english;
  const sentence = words[kind].replace(
    /\{(\d)\}/g,
    (_braces, at: string) => values[Number(at)] ?? '',
  );
  const content = `<p>${escaped(sentence)}</p>
${said === undefined ? '' : `<p class="muted">${escaped(said.slice(0, 500))}</p>\n`}<a class="button" href="./">${words.again}</a>
</section>
`;
  const page = Buffer.from(smallPage(language, content));
  response.writeHead(statuses[kind], {
    ...smallPageHeaders,
    'Cache-Control': 'no-store',
    'Content-Language': language,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': page.length,
  });
  response.end(page);
}
