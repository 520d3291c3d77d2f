import { Argument, Option } from 'commander';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';

export const command: CommandDetails = {
  arguments: [new Argument('<server>', 'The proxy').choices(['nginx', 'caddy'])],
  options: [
    new Option(
      '--upstream <host:port>',
      'A node behind the proxy; repeat for each node (default: host and port)',
    ).argParser((upstream: string, others: string[] = []) => [...others, upstream]),
  ],
  settings: ['public_url', 'trust_proxy', 'files.accel'],
  examples: [
    'proxy-config nginx --public-url https://img.example.com',
    'proxy-config caddy --upstream 10.0.0.11:80 --upstream 10.0.0.12:80',
  ],
  run: printProxyConfig,
};

async function printProxyConfig(
  context: Context,
  { server, upstream = [] }: { server: string; upstream?: string[] },
): Promise<void> {
  const { caddyConfig, nginxConfig, proxySettings } = await import('../../ops/proxy-config.js');
  const { values: config } = await context.settings('file');
  const proxy = proxySettings(config, context.home, upstream);
  const text = (server === 'caddy' ? caddyConfig : nginxConfig)(proxy);
  const { upstreams, remarks } = proxy;
  context.ui.result({
    document: { server, upstreams, remarks, config: text },
    text: text.trimEnd(),
  });
}
