import { ok, warning, type Check } from '../check.js';

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
