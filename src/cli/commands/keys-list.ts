import type { Context } from '../context.js';
import { withTenants } from '../tenants.js';

/** The keys that sign tokens, the newest first. */
export async function listKeys(context: Context): Promise<void> {
  const document = await withTenants(context, async ({ keyring }) => {
    const keys = await keyring.list();
    const signing = keys.find(({ revokedAt }) => revokedAt === null)?.id;
    return keys.map(({ id, createdAt, revokedAt }) => ({
      id,
      created_at: createdAt.toISOString(),
      revoked_at: revokedAt?.toISOString() ?? null,
      signs: id === signing,
    }));
  });
  const text = document
    .map(({ id, created_at: created, revoked_at: revoked, signs }) => {
      const state = revoked
        ? `revoked ${revoked}`
        : signs
          ? 'signs new tokens'
          : 'verifies older tokens';
      return `${id}  created ${created}  ${state}`;
    })
    .join('\n');
  context.ui.result({ document, text });
}
