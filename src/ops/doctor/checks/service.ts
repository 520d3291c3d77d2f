import { once } from 'node:events';
import { connect } from 'node:tls';
import { version } from '../../../base/installed-files.js';
import { counted, dayMs, secondMs } from '../../../base/units.js';
import { readMasterKey } from '../../../http/auth/secrets.js';
import { partsDown, readiness } from '../../../http/health.js';
import { assertPortFree } from '../../../http/server.js';
import { sentinelKey } from '../../../store/sentinel.js';
import { SignedUrls } from '../../../store/signed-url.js';
import { ok, problem, warning, type Check } from '../check.js';
import { NotRunning, Skip } from '../context.js';

export const service: Check = {
  name: 'service',
  title: 'The service is running, and all its parts work',
  category: 'service',
  run: async (context) => {
    await context.initialized.get();
    const holder = await context.service.open().catch((error: unknown) => {
      if (error instanceof NotRunning) return undefined;
      throw error;
    });
    if (!holder) {
      return warning(
        'The service is not running.',
        `${context.command('serve')}, or: systemctl start imgstore`,
      );
    }
    const { url, pid } = holder;
    const log = `See its log, such as: journalctl -u imgstore -n 50; if it hangs: kill ${pid}`;
    const down = partsDown(await readiness(url));
    if (down.includes('api')) {
      return problem(`Process ${pid} is running, but does not answer at ${url}.`, log);
    }
    if (down.length > 0) return problem(`The service is not ready: ${down.join(', ')}.`, log);
    if (holder.version === version()) return ok(`${url}, version ${holder.version}.`);
    return warning(
      `The running service is version ${holder.version}; version ${version()} is installed.`,
      `Restart it: systemctl restart imgstore, or kill ${pid} and: ${context.command('serve')}`,
    );
  },
};

export const port: Check = {
  name: 'port',
  title: 'The port is free, or ours',
  category: 'service',
  run: async (context) => {
    const { host, port } = await context.config();
    const holder = await context.service.find();
    if (!holder) {
      await assertPortFree(host, port);
      return ok(`${host}:${port} is free.`);
    }
    const serving = Number(new URL(holder.url).port || 80);
    if (port === 0 || serving === port) return ok(`The service listens at ${holder.url}.`);
    return warning(
      `The service listens on port ${serving}; after a restart it will listen on ${port}, as configured.`,
      `Restart it, or keep the port: ${context.command('config', 'set', 'port', String(serving))}`,
    );
  },
};

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

/** Remaining days by which a certificate should have been renewed. */
const soonDays = 14;

export const certificate: Check = {
  name: 'certificate',
  title: 'The certificate of public_url is valid for some time',
  category: 'service',
  run: async (context) => {
    const { public_url: url } = await context.config();
    if (!url?.startsWith('https:')) throw new Skip('public_url is not an https:// URL');
    const ends = await endOfCertificate(new URL(url));
    const days = Math.floor((ends.getTime() - Date.now()) / dayMs);
    const remedy =
      'Check why it was not renewed: certbot renew --dry-run, or journalctl -u caddy; then reload the proxy';
    if (days < 0)
      return problem(`The certificate of ${url} expired on ${ends.toUTCString()}.`, remedy);
    const left = `The certificate of ${url} is valid for ${counted(days, 'more day', 'more days')}`;
    return days < soonDays ? warning(`${left}.`, remedy) : ok(`${left}.`);
  },
};

/** Accepts any certificate: whether it is trusted is up to the clients. @throws Skip */
async function endOfCertificate({ hostname, port }: URL): Promise<Date> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const signal = AbortSignal.timeout(limitMs);
  const socket = connect({
    host,
    port: Number(port || 443),
    rejectUnauthorized: false,
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
  });
  try {
    await once(socket, 'secureConnect', { signal });
    return new Date(socket.getPeerCertificate().valid_to);
  } catch {
    throw new Skip('public_url cannot be reached');
  } finally {
    socket.destroy();
  }
}

export const proxy: Check = {
  name: 'proxy',
  title: 'The proxy is trusted to report client IPs',
  category: 'service',
  run: async (context) => {
    const { public_url: url, trust_proxy: proxies } = await context.config();
    if (!url?.startsWith('https:')) return ok('No proxy is expected, according to public_url.');
    if (proxies > 0) return ok(`${proxies} in front (trust_proxy).`);
    return warning(
      `public_url is ${url}, so a proxy must be in front, but trust_proxy is 0: the log and rate_limit.failed_auth take every client for the proxy.`,
      context.command('config', 'set', 'trust_proxy', '1'),
    );
  },
};
