import { ok, warning, type Check } from '../check.js';

export const proxy: Check = {
  name: 'proxy',
  title: 'The proxy in front is trusted to say who asks',
  category: 'service',
  run: async (context) => {
    const { public_url: address, trust_proxy: proxies } = await context.config();
    if (!address?.startsWith('https:')) return ok('No proxy is expected, by public_url.');
    if (proxies > 0) return ok(`${proxies} in front (trust_proxy).`);
    return warning(
      `public_url is ${address}, so a proxy must be in front, but trust_proxy is 0: the log and rate_limit.failed_auth take every client for the proxy.`,
      context.command('config', 'set', 'trust_proxy', '1'),
    );
  },
};
