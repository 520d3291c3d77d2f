import { counted } from '../../base/units.js';
import { confirm, revocation } from '../confirm.js';
import type { Context } from '../context.js';
import { parseName } from '../parse-name.js';
import { withTenants } from '../tenants.js';
import { platformText, tokenText } from '../record-text.js';
import { collect } from '../../http/paging/batches.js';

export async function createPlatform(context: Context, { name }: { name: string }): Promise<void> {
  const unique = parseName('--name', name);
  const document = await withTenants(context, ({ platforms }) => platforms.create(unique));
  context.ui.result({ document, text: `${platformText(document)}\n${tokenText(document)}` });
}

export async function listPlatforms(context: Context): Promise<void> {
  const document = await withTenants(context, async ({ platforms }) =>
    collect(await platforms.list()),
  );
  const text = document
    .map((p) => `${platformText(p)}  ${counted(p.user_count, 'user')}`)
    .join('\n');
  context.ui.result({ document, text: text || 'No platforms yet.' });
}

export async function issuePlatformTokens(
  context: Context,
  _options: object,
  [id = '']: string[],
): Promise<void> {
  const document = await withTenants(context, ({ platforms }) => platforms.issueTokens(id));
  context.ui.result({ document, text: tokenText(document) });
}

export async function revokePlatform(
  context: Context,
  _options: object,
  [id = '']: string[],
): Promise<void> {
  const ended = await withTenants(context, async ({ platforms, tokens }) => {
    const { platform } = await platforms.get(id);
    const live = await tokens.countLive(id);
    await confirm(context, revocation(live, `the platform ${platform} and its users`));
    await platforms.revokeTokens(id);
    return live;
  });
  const text = `${counted(ended, 'sign-in')} ended: all tokens of platform ${id} and its users are revoked.`;
  context.ui.result({ document: { id, revoked: true, ended_sign_ins: ended }, text });
}
