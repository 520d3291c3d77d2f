import { createOwnedData, type OwnedData } from '../harness/owned-data.js';
import type { Target } from '../../../testkit/target.js';
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

export async function gatherCast(target: Target): Promise<TokenCast> {
  const platform = await target.platform();
  const victim = await createOwnedData(target, platform);
  const [sibling, gone] = [
    await createOwnedData(target, platform),
    await createOwnedData(target, platform),
  ];
  const stranger = await createOwnedData(target, await target.platform());
  const revoked = await createOwnedData(target, await target.platform());
  await target.client.delete(`/api/v1/users/${gone.user.user_id}`, {
    as: ['User', gone.user.access_token],
  });
  const { code } = await target.command(['platform', 'revoke', revoked.platform.id, '--yes']);
  if (code !== 0) throw new Error('imgstore platform revoke failed');
  const { id: platformId } = platform;
  const holders = [{ platformId, userId: victim.user.user_id }, { platformId }, {}];
  const [user = '', ofPlatform = '', admin = ''] = await expiredTokens(target, holders);
  const expired = { User: user, Platform: ofPlatform, Admin: admin };
  return { victim, sibling, stranger, gone, revoked, expired };
}
