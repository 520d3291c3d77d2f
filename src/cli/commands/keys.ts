import { readMasterKey } from '../../http/auth/secrets.js';
import type { Context } from '../context.js';
import { counted } from '../../base/units.js';
import { confirm, revocation } from '../confirm.js';
import { withTenants } from '../tenants.js';

export async function exportMasterKey(context: Context): Promise<void> {
  const text = (await readMasterKey(context.home)).text();
  context.ui.result({ document: { master_key: text }, text });
}

export async function rotateKeys(
  context: Context,
  { revokeOld = false }: { revokeOld?: boolean },
): Promise<void> {
  const { id, ended } = await withTenants(context, async ({ keyring, tokens }) => {
    const live = revokeOld ? await tokens.countLive() : 0;
    if (revokeOld) await confirm(context, revocation(live, 'this installation, your own included'));
    return { ...(await keyring.rotate({ revokeOld })), ended: live };
  });
  const old = revokeOld
    ? `${counted(ended, 'sign-in')} ended: all tokens signed with older keys are revoked.`
    : 'Older tokens stay valid until they expire.';
  const document = { kid: id, revoked_old: revokeOld, ended_sign_ins: ended };
  context.ui.result({ document, text: `New tokens are signed with key ${id}. ${old}` });
}
