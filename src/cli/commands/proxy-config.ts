import { caddyConfig, nginxConfig, proxySettings } from '../../ops/proxy-config.js';
import type { Context } from '../context.js';

export async function printProxyConfig(
  context: Context,
  { upstream = [] }: { upstream?: string[] },
  [server]: string[],
): Promise<void> {
  const { values: config } = await context.settings('file');
  const proxy = proxySettings(config, context.home, upstream);
  const text = (server === 'caddy' ? caddyConfig : nginxConfig)(proxy);
  const { upstreams, remarks } = proxy;
  context.ui.result({
    document: { server, upstreams, remarks, config: text },
    text: text.trimEnd(),
  });
}
