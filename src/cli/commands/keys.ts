import { readMasterKey } from '../../auth/secrets.js';
import type { Context } from '../context.js';
import { withTenants } from '../tenants.js';

export async function exportMasterKey(context: Context): Promise<void> {
  const text = (await readMasterKey(context.home)).text();
  context.ui.result({ document: { master_key: text }, text });
}

export async function rotateKeys(
  context: Context,
  { revokeOld = false }: { revokeOld?: boolean },
): Promise<void> {
  const { id } = await withTenants(context, ({ keyring }) => keyring.rotate({ revokeOld }));
  const old = revokeOld
    ? 'Tokens signed with older keys are revoked.'
    : 'Older tokens stay valid until they expire.';
  const document = { kid: id, revoked_old: revokeOld };
  context.ui.result({ document, text: `New tokens are signed with key ${id}. ${old}` });
}
