import type { Command } from 'commander';
import { runs } from '../context.js';
import { withTenants } from '../tenants.js';

export function registerKeys(program: Command): void {
  const keys = program.command('keys').description('the master key, and the keys that sign tokens');
  runs(
    keys
      .command('export')
      .description('print the master key of this home, for a node that joins; keep it secret'),
    async (context) => {
      const { readMasterKey } = await import('../../auth/secrets.js');
      const text = (await readMasterKey(context.home)).text();
      context.ui.result({ document: { master_key: text }, text });
    },
  );
  runs<{ revokeOld?: boolean }>(
    keys
      .command('rotate')
      .description('add a signing key; tokens of older keys stay valid until they expire')
      .option('--revoke-old', 'end all tokens of older keys at once'),
    async (context, { revokeOld = false }) => {
      const { id } = await withTenants(context, ({ keyring }) => keyring.rotate({ revokeOld }));
      const old = revokeOld ? 'Tokens of older keys are revoked.' : 'Older tokens stay valid.';
      const document = { kid: id, revoked_old: revokeOld };
      context.ui.result({ document, text: `New tokens are signed with key ${id}. ${old}` });
    },
  );
}
