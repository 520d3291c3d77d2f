import type { Context } from '../context.js';
import { parseName } from '../parse-name.js';
import { withTenants } from '../tenants.js';
import { tokenText, userText } from '../record-text.js';
import { collect } from '../../http/paging/batches.js';

export async function createUser(
  context: Context,
  options: { platform: string; platformUserId: string },
): Promise<void> {
  const name = parseName('--platform-user-id', options.platformUserId);
  const document = await withTenants(context, async ({ platforms, users }) =>
    users.create((await platforms.get(options.platform)).id, name, 'admin'),
  );
  const text = userText({ ...document, id: document.user_id });
  context.ui.result({ document, text: `${text}\n${tokenText(document)}` });
}

export async function listUsers(context: Context, options: { platform: string }): Promise<void> {
  const document = await withTenants(context, async ({ platforms, users }) =>
    collect(await users.list((await platforms.get(options.platform)).id)),
  );
  const text = document.map(userText).join('\n') || 'The platform has no users yet.';
  context.ui.result({ document, text });
}

export async function issueUserTokens(
  context: Context,
  _options: object,
  [id = '']: string[],
): Promise<void> {
  const document = await withTenants(context, ({ users }) => users.issueTokens(id));
  context.ui.result({ document, text: tokenText(document) });
}
