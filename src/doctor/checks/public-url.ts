import { readMasterKey } from '../../auth/secrets.js';
import { sentinelKey } from '../../store/sentinel.js';
import { SignedUrls } from '../../store/signed-url.js';
import { secondMs } from '../../units.js';
import { ok, problem, type Check } from '../check.js';

const limitMs = 10 * secondMs;

/** Whoever can verify a URL that was signed with the master key of this home belongs to it. */
export const publicUrl: Check = {
  name: 'public-url',
  title: 'public_url leads to this installation',
  category: 'service',
  run: async (context) => {
    const { public_url: address, signed_url_ttl: ttlSeconds } = await context.config();
    if (address === undefined) return ok('It is not set; URLs are made from each request.');
    await context.service.get();
    const { id } = await context.instance.get();
    const secret = (await readMasterKey(context.home)).fileUrlKey();
    const path = new SignedUrls({ secret, ttlSeconds }).sign(sentinelKey);
    const remedy = `Check the name (DNS), the certificate and the proxy (${context.command('proxy-config', 'nginx')}), or correct it: ${context.command('config', 'set', 'public_url', 'URL')}`;
    const answer = await ask(address.replace(/\/$/, '') + path);
    if (answer instanceof Error) {
      return problem(`${address} cannot be reached from here: ${reasonOf(answer)}.`, remedy);
    }
    if (answer.status === 200 && answer.body.includes(id)) return ok(`${address} leads here.`);
    if (answer.status >= 500) {
      return problem(`${address} answers ${answer.status}.`, remedy);
    }
    return problem(
      `${address} leads to something else than this installation: it answers ${answer.status} to a file of ours.`,
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
    // Whatever it is, the file that is asked for is short.
    const body = answer.status === 200 ? (await answer.text()).slice(0, 1_000) : '';
    if (answer.status !== 200) await answer.body?.cancel();
    return { status: answer.status, body };
  } catch (error) {
    return error as Error;
  }
}
