import type { Command } from 'commander';
import type { Difference } from '../../operations/verify/differences.js';
import { runs } from '../context.js';
import { withTenants } from '../tenants.js';
import { AlreadyTold } from '../silent-exit.js';

export function registerStats(program: Command): void {
  const stats = program.command('stats').description('the accounts of what is stored');
  runs<{ platform?: string }>(
    stats
      .command('verify')
      .description('prove that ledger, counters, rows and stored objects say the same')
      .option('--platform <id>', 'one platform instead of all'),
    async (context, options) => {
      const [{ verify }, { openStores }, { readMasterKey }] = await Promise.all([
        import('../../operations/verify/verify.js'),
        import('../../stores.js'),
        import('../../auth/secrets.js'),
      ]);
      const { home, ui } = context;
      const document = await withTenants(context, async ({ db, config, platforms }) => {
        const platformId = options.platform && (await platforms.get(options.platform)).id;
        const { store } = await openStores(db, config, home, await readMasterKey(home));
        return verify({ db, store, platformId, report: ui.progress });
      });
      const looked = `${document.versions} stored versions, ${document.objects} objects`;
      const text = document.ok
        ? `Everything agrees: ${looked}.`
        : `${document.differences.map(line).join('\n')}\n${document.differences_total} differences; ${looked}.`;
      ui.result({ document, text });
      if (!document.ok) throw new AlreadyTold();
    },
  );
}

function line({ kind, platform_id, subject, expected, found }: Difference): string {
  const figures =
    expected === null && found === null ? '' : `: expected ${expected}, found ${found}`;
  return `${kind.padEnd(15)} platform ${platform_id ?? '-'}  ${subject}${figures}`;
}
