import { createOwnedData, type OwnedData } from '../harness/owned-data.js';
import type { Appliance } from '../../../testkit/appliance.js';
import { expiredTokens } from './forgeries.js';

/** The owners of the tokens that are tried on the victim's records. */
export interface TokenCast {
  readonly victim: OwnedData;
  /** Another user of the same platform. */
  readonly sibling: OwnedData;
  /** A user of another platform. */
  readonly stranger: OwnedData;
  /** A user who has been deleted. */
  readonly gone: OwnedData;
  /** A user of a platform whose tokens have been revoked. */
  readonly revoked: OwnedData;
  /** Tokens of the victim, the victim's platform and an administrator that expired a minute ago. */
  readonly expired: Readonly<Record<'User' | 'Platform' | 'Admin', string>>;
}

export async function gatherCast(target: Appliance): Promise<TokenCast> {
  const platform = await target.world.platform();
  const victim = await createOwnedData(platform);
  const [sibling, gone] = [await createOwnedData(platform), await createOwnedData(platform)];
  const stranger = await createOwnedData(await target.world.platform());
  const revoked = await createOwnedData(await target.world.platform());
  await gone.user.delete('');
  const { code } = await target.command(['platform', 'revoke', revoked.platform.id, '--yes']);
  if (code !== 0) throw new Error('imgstore platform revoke failed');
  const { id: platformId } = platform;
  const holders = [{ platformId, userId: victim.user.id }, { platformId }, {}];
  const [user = '', ofPlatform = '', admin = ''] = await expiredTokens(target, holders);
  const expired = { User: user, Platform: ofPlatform, Admin: admin };
  return { victim, sibling, stranger, gone, revoked, expired };
}
