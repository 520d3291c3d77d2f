import type { Command } from 'commander';
import { runs } from '../context.js';
import { withTenants } from '../tenants.js';
import { platformText, tokenText } from '../text.js';
import { whole } from '../../paging/batches.js';

export function registerPlatform(program: Command): void {
  const platform = program.command('platform').description('client platforms');
  runs<{ name: string }>(
    platform
      .command('create')
      .description('create a platform and its first tokens')
      .requiredOption('--name <name>', 'unique name of the platform'),
    async (context, { name }) => {
      const { parseName } = await import('../names.js');
      const unique = parseName('--name', name);
      const document = await withTenants(context, ({ platforms }) => platforms.create(unique));
      context.ui.result({ document, text: `${platformText(document)}\n${tokenText(document)}` });
    },
  );
  runs(platform.command('list').description('all platforms'), async (context) => {
    const document = await withTenants(context, async ({ platforms }) =>
      whole(await platforms.list()),
    );
    const text = document.map((p) => `${platformText(p)}  ${p.user_count} users`).join('\n');
    context.ui.result({ document, text: text || 'There is no platform yet.' });
  });
  runs(
    platform.command('token <id>').description('issue new tokens for a platform'),
    async (context, _options, [id = '']) => {
      const document = await withTenants(context, ({ platforms }) => platforms.issueTokens(id));
      context.ui.result({ document, text: tokenText(document) });
    },
  );
  runs(
    platform
      .command('revoke <id>')
      .description('end all tokens of a platform and of its users, at once and everywhere'),
    async (context, _options, [id = '']) => {
      await withTenants(context, ({ platforms }) => platforms.revokeTokens(id));
      const text = `All tokens of platform ${id} and of its users are revoked.`;
      context.ui.result({ document: { id, revoked: true }, text });
    },
  );
}
