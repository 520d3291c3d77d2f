import { Argument, Option } from 'commander';
import { ExitCode } from '../../base/errors/operator.js';
import { counted } from '../../base/units.js';
import { remediesOf, type Difference } from '../../ops/verify/findings.js';
import type { VerifiedStatistics } from '../../ops/verify/verify.js';
import type { CommandDetails, RunnableCommand } from '../command.js';
import type { Context } from '../context.js';
import { advising } from '../interrupt.js';
import { withTenants } from '../open.js';
import { SilentExit } from '../ui.js';

export const accounts: RunnableCommand = {
  name: 'accounts',
  description: 'Verify that schema, ledger, counters, rows, and stored objects agree',
  options: [
    new Option('--platform <id>', 'Check one platform instead of all'),
    new Option(
      '--repair',
      'First create what the schema lacks, and recount from the rows what differs',
    ),
  ],
  examples: [
    'verify accounts',
    'verify accounts --platform PLATFORM_ID',
    'verify accounts --repair',
  ],
  run: verifyAccounts,
};

/** `stats verify`, an older spelling. */
export const command: CommandDetails = {
  ...accounts,
  arguments: [new Argument('<verify>').choices(['verify'])],
  replacedBy: 'verify accounts',
};

interface Options {
  readonly platform?: string;
  readonly repair?: boolean;
}

async function verifyAccounts(context: Context, options: Options): Promise<void> {
  const { verifyStatistics } = await import('../../ops/verify/verify.js');
  const { ui, interrupted: signal } = context;
  const verified = withTenants(context, async ({ db, platforms, openStore }) => {
    const platformId = options.platform && (await platforms.get(options.platform)).id;
    const store = await openStore();
    const repair = options.repair === true;
    return verifyStatistics({ db, store, platformId, repair, report: ui.progress, signal });
  });
  const document = await advising('Run the same command again.', () => verified);
  const checked = `${counted(document.versions, 'stored version')}, ${counted(document.objects, 'object')}`;
  const found = counted(document.differences_total, 'difference');
  const lines = document.ok
    ? [`Everything agrees: ${checked}.`]
    : [
        ...document.differences.map(line),
        ...cut(document),
        `${found}; ${checked}.`,
        ...remediesOf(document.differences).map((remedy) => `Remedy: ${remedy}`),
      ];
  ui.result({ document, text: [...repaired(document), ...lines].join('\n') });
  if (!document.ok) throw new SilentExit(ExitCode.different);
}

/** Lines about what was mended or counted anew, if anything was. */
const repaired = (verified: VerifiedStatistics): string[] => [
  ...(verified.mended.length > 0 ? [`Repaired: ${verified.mended.join(', ')}.`] : []),
  ...recounted(verified),
];

function recounted({ recounted: done }: VerifiedStatistics): string[] {
  if (!done || (done.users === 0 && done.maps === 0 && !done.days)) return [];
  const maps = done.maps > 0 ? `, the maps of ${counted(done.maps, 'platform')}` : '';
  const days = done.days ? ', and the days of all platforms' : '';
  return [`Counted anew: the rows of ${counted(done.users, 'user')}${maps}${days}.`];
}

/** A line about the differences that the list omits, if any. */
function cut({ differences, differences_total: total }: VerifiedStatistics): string[] {
  const more = total - differences.length;
  if (more === 0) return [];
  return [
    `… and ${more.toLocaleString('en')} more: only the first ${counted(differences.length, 'difference')} are listed.`,
  ];
}

function line({ kind, platform_id, subject, expected, found }: Difference): string {
  const counts =
    expected === null && found === null ? '' : `: expected ${expected}, found ${found}`;
  return `${kind.padEnd(15)} platform ${platform_id ?? '-'}  ${subject}${counts}`;
}
