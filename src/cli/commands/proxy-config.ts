import { Argument } from 'commander';
import type { Command } from 'commander';
import { runs } from '../context.js';

const servers = ['nginx', 'caddy'] as const;

export function registerProxyConfig(program: Command): void {
  runs<{ upstream: string[] }>(
    program
      .command('proxy-config')
      .description('print the configuration of a reverse proxy for these settings')
      .addArgument(new Argument('<server>', 'the proxy').choices(servers))
      .option(
        '--upstream <host:port>',
        'a node behind the proxy; again for each (default: host and port)',
        (address: string, others: string[]) => [...others, address],
        [],
      ),
    async (context, { upstream }, [server]) => {
      const [{ proxyFacts }, { nginxConfig }, { caddyConfig }] = await Promise.all([
        import('../../operations/proxy/settings.js'),
        import('../../operations/proxy/nginx.js'),
        import('../../operations/proxy/caddy.js'),
      ]);
      const { values: config } = await context.settings();
      const facts = proxyFacts(config, context.home, upstream);
      const text = (server === 'caddy' ? caddyConfig : nginxConfig)(facts);
      const { upstreams, remarks } = facts;
      context.ui.result({
        document: { server, upstreams, remarks, config: text },
        text: text.trimEnd(),
      });
    },
  );
}
