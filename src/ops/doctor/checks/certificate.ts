import { once } from 'node:events';
import { connect } from 'node:tls';
import { counted, dayMs, secondMs } from '../../../base/units.js';
import { ok, problem, warning, type Check } from '../check.js';
import { Skip } from '../needed.js';

const limitMs = 10 * secondMs;

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
