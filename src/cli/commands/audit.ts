import { Option } from 'commander';
import { wrongUsage } from '../../base/errors/operator.js';
import { dayMs, hourMs, minuteMs } from '../../base/units.js';
import type { AuditEntry } from '../../ops/audit/audit.js';
import { parseWhole } from '../ask.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withTenants } from '../open.js';
import { utcText } from '../record-text.js';

export const command: CommandDetails = {
  options: [
    new Option('--platform <id>', 'Only what concerns this platform, even if deleted'),
    new Option('--user <id>', 'Only what concerns this user, even if deleted'),
    new Option('--since <when>', 'A date, or a span: 90m, 12h, 7d'),
    new Option('--changes', 'Also uploads and other changes of folders and images'),
    new Option('--limit <n>', 'The newest, up to 100000').default('100'),
  ],
  examples: ['audit', 'audit --since 7d --json', 'audit --user USER_ID --changes --limit 1000'],
  run: showAudit,
};

interface Options {
  readonly platform?: string;
  readonly user?: string;
  readonly since?: string;
  readonly changes?: true;
  readonly limit: string;
}

/** Who did what: administrators, whoever changed accounts, and on request what they contain. */
async function showAudit(context: Context, options: Options): Promise<void> {
  const { readAudit } = await import('../../ops/audit/audit.js');
  const scope = {
    platformId: await idOf('--platform', options.platform),
    userId: await idOf('--user', options.user),
    since: options.since === undefined ? undefined : instantOf(options.since, Date.now()),
    limit: parseWhole('--limit', options.limit, 1, 100_000),
    content: options.changes === true,
  };
  const document = (await withTenants(context, ({ db }) => readAudit(db, scope))).map(recordOf);
  context.ui.list({
    document,
    headers: ['TIME (UTC)', 'ACT', 'WHO, AND ABOUT WHAT'],
    rows: document.map((entry) => [utcText(entry.at), entry.act, whoText(entry)]),
    none: 'There are no entries.',
    note: options.changes
      ? undefined
      : 'Administration and accounts only; --changes adds uploads and other changes of content.',
  });
}

const recordOf = ({ at, tokenId, tokenName, platformId, userId, ...entry }: AuditEntry) => ({
  at: at.toISOString(),
  act: entry.act,
  actor: entry.actor,
  operator: entry.operator,
  token_id: tokenId,
  token: tokenName === null ? null : { id: tokenId, name: tokenName },
  platform_id: platformId,
  user_id: userId,
  details: entry.details,
});

/** The subject may have been deleted, so it need not exist. */
async function idOf(flag: string, id: string | undefined): Promise<string | undefined> {
  const { validate: isUuid } = await import('uuid');
  if (id === undefined || isUuid(id)) return id?.toLowerCase();
  throw wrongUsage(`${flag} must be an id, such as 0199b1a2-….`, { setting: flag });
}

const spans = new Map([
  ['m', minuteMs],
  ['h', hourMs],
  ['d', dayMs],
]);

/** A moment, or how long ago it was: `90m`, `12h`, `7d`. */
function instantOf(text: string, now: number): Date {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ago = Number(count) * (spans.get(unit) ?? NaN);
  const moment = new Date(Number.isNaN(ago) ? Date.parse(text) : now - ago);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw wrongUsage('--since must be a date such as 2026-01-31, or a span such as 90m, 12h or 7d.', {
    setting: '--since',
  });
}

function whoText(entry: ReturnType<typeof recordOf>): string {
  const { actor, operator, token_id: id, token, details } = entry;
  const name = token ? ` "${token.name}"` : '';
  const by = operator ? `operator ${operator}` : id ? `${actor} by token ${id}${name}` : actor;
  const parts = [
    by,
    entry.platform_id && `platform ${entry.platform_id}`,
    entry.user_id && `user ${entry.user_id}`,
    details && JSON.stringify(details),
  ];
  return parts.filter(Boolean).join(', ');
}
