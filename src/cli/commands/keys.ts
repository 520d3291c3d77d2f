import { Option } from 'commander';
import { counted } from '../../base/units.js';
import { readMasterKey } from '../../http/auth/secrets.js';
import { confirm, revocation } from '../ask.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withTenants } from '../open.js';
import { utcText } from '../record-text.js';

export const command: CommandDetails = {
  commands: [
    {
      name: 'export',
      description: "Print this home's master key, for a node that joins; keep it secret",
      examples: ['keys export > master.key'],
      run: exportMasterKey,
    },
    {
      name: 'list',
      description: 'List the keys that sign tokens: since when, and which one signs',
      examples: ['keys list', 'keys list --json'],
      run: listKeys,
    },
    {
      name: 'rotate',
      description: 'Add a signing key; older tokens stay valid until they expire',
      options: [new Option('--revoke-old', 'Revoke all tokens signed with older keys at once')],
      asks: true,
      examples: ['keys rotate', 'keys rotate --revoke-old'],
      run: rotateKeys,
    },
  ],
};

/** The keys that sign tokens, the newest first. */
async function listKeys(context: Context): Promise<void> {
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
  context.ui.list({
    document,
    headers: ['ID', 'CREATED (UTC)', 'STATE'],
    rows: document.map(({ id, created_at: created, revoked_at: revoked, signs }) => [
      id,
      utcText(created),
      revoked
        ? `revoked ${utcText(revoked)}`
        : signs
          ? 'signs new tokens'
          : 'verifies older tokens',
    ]),
    none: 'There are no keys.',
  });
}

async function exportMasterKey(context: Context): Promise<void> {
  const text = (await readMasterKey(context.home)).text();
  context.ui.result({ document: { master_key: text }, text });
}

async function rotateKeys(
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
