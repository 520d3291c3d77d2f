import type { Tenants } from '../../ops/tenants.js';
import type { Context } from '../context.js';
import { consoleAccess, greetingText, uploadCommand } from '../greeting.js';
import { serveUntilSignal } from '../serve-until-signal.js';
import { writeTokenFiles } from '../token-files.js';
import type { CommandResult } from '../ui.js';
import { initializeHome } from './init.js';
import { collect } from '../../http/paging/batches.js';

const firstPlatform = 'demo';
const firstUser = 'demo-user';

export async function upService(context: Context): Promise<void> {
  await initializeHome(context);
  await serveUntilSignal(context, async ({ url, tenants }) => greeting(context, url, tenants));
}

/** Writes the first tokens to files, and shows how to use them. */
async function greeting(context: Context, url: string, tenants: Tenants): Promise<CommandResult> {
  const { admin, platform, user } = await startingTokens(tenants);
  const { home, ui } = context;
  await writeTokenFiles(home, {
    admin: admin.access_token,
    platform: platform.access_token,
    user: user.access_token,
  });
  const { values } = await context.settings();
  const greeted = {
    url,
    home,
    platform: firstPlatform,
    user: { name: firstUser, id: user.user_id },
    console: values['console.enabled'],
    requestsHidden: ui.onTerminal && values['log.level'] === 'warn',
  };
  const document = {
    address: url,
    ...(greeted.console && { console: consoleAccess(greeted) }),
    docs: `${url}/docs`,
    tokens: home.tokens,
    admin,
    platform,
    user,
    curl: uploadCommand(greeted),
  };
  return { document, text: greetingText(greeted) };
}

/** Tokens of the first platform and user, both created if missing. */
async function startingTokens({ tokens, platforms, users }: Tenants) {
  const admin = await tokens.issue({});
  const known = (await collect(await platforms.list())).find((p) => p.platform === firstPlatform);
  const platform = known
    ? { ...known, ...(await platforms.issueTokens(known.id)) }
    : await platforms.create(firstPlatform);
  const [listed] = await users.named(platform.id, firstUser);
  const user = listed
    ? { user_id: listed.id, platform_id: platform.id, ...(await users.issueTokens(listed.id)) }
    : await users.create(platform.id, firstUser, 'admin');
  return { admin, platform, user };
}
