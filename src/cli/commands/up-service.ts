import { fileURLToPath } from 'node:url';
import type { Tenants } from '../../tenants.js';
import type { Context } from '../context.js';
import { serveUntilSignal } from '../serve-until-signal.js';
import type { CommandResult } from '../ui.js';
import { initializeHome } from './init.js';
import { collect } from '../../paging/batches.js';

const firstPlatform = 'demo';
const firstUser = 'demo-user';

export async function upService(context: Context): Promise<void> {
  await initializeHome(context, { tell: false });
  await serveUntilSignal(context, async ({ url, tenants }) => greeting(url, tenants));
}

/** The address, tokens, and a ready-to-paste command that uploads an image. */
async function greeting(address: string, tenants: Tenants): Promise<CommandResult> {
  const { admin, platform, user, created } = await startingTokens(tenants);
  const sample = fileURLToPath(new URL('../../../../assets/sample.jpg', import.meta.url));
  const images = `${address}/api/v1/users/${user.user_id}/images`;
  const curl = `curl -H 'Authorization: User ${user.access_token}' -F image_data=@'${sample}' ${images}`;
  const text = `
imgstore serves at ${address}

Admin token
  ${admin.access_token}

Platform "${firstPlatform}" (${platform.id})${created ? ', just created' : ''}
  ${platform.access_token}

User "${firstUser}" (${user.user_id})
  ${user.access_token}

Upload a picture:
  ${curl}

Ctrl-C stops everything.
`;
  return { document: { address, admin, platform, user, curl }, text };
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
    : await users.create(platform.id, firstUser);
  return { admin, platform, user, created: !known };
}
