import { readMasterKey } from '../../../http/auth/secrets.js';
import { sentinelKey } from '../../../store/sentinel.js';
import { SignedUrls } from '../../../store/signed-url.js';
import { secondMs } from '../../../base/units.js';
import { ok, problem, type Check } from '../check.js';

const limitMs = 10 * secondMs;

/** Only this installation can verify a URL that was signed with the master key of the home. */
export const publicUrl: Check = {
  name: 'public-url',
  title: 'public_url leads to this installation',
  category: 'service',
  run: async (context) => {
    const { public_url: url, signed_url_ttl: ttlSeconds } = await context.config();
    if (url === undefined) return ok('It is not set; URLs are derived from each request.');
    await context.service.get();
    const { id } = await context.instance.get();
    const secret = (await readMasterKey(context.home)).fileUrlKey();
    const path = new SignedUrls({ secret, ttlSeconds }).sign(sentinelKey);
    const remedy = `Check the name (DNS), the certificate and the proxy (${context.command('proxy-config', 'nginx')}), or correct it: ${context.command('config', 'set', 'public_url', 'URL')}`;
    const answer = await ask(url.replace(/\/$/, '') + path);
    if (answer instanceof Error) {
      return problem(`${url} cannot be reached from here: ${reasonOf(answer)}.`, remedy);
    }
    if (answer.status === 200 && answer.body.includes(id)) return ok(`${url} leads here.`);
    if (answer.status >= 500) {
      return problem(`${url} answers ${answer.status}.`, remedy);
    }
    return problem(
      `${url} leads to another service: it answers ${answer.status} to a request for a file of this installation.`,
      remedy,
    );
  },
};

/** The reason in words: fetch only says that it failed. */
function reasonOf(error: Error): string {
  const { cause } = error;
  return cause instanceof Error
    ? cause.message || String(Reflect.get(cause, 'code'))
    : error.message;
}

async function ask(url: string): Promise<{ status: number; body: string } | Error> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(limitMs), redirect: 'manual' });
    // The requested file is short; another service may send more.
    const body = answer.status === 200 ? (await answer.text()).slice(0, 1_000) : '';
    if (answer.status !== 200) await answer.body?.cancel();
    return { status: answer.status, body };
  } catch (error) {
    return error as Error;
  }
}
