import { validate as isUuid } from 'uuid';
import { wrongUsage } from '../../base/errors/operator.js';
import { readAudit } from '../../ops/audit.js';
import type { AuditEntry } from '../../ops/audit.js';
import { dayMs, hourMs, minuteMs } from '../../base/units.js';
import type { Context } from '../context.js';
import { withTenants } from '../tenants.js';

interface Options {
  readonly platform?: string;
  readonly user?: string;
  readonly since?: string;
  readonly limit: string;
}

/** Who did what: administrators, and everybody who changed a user's records. */
export async function showAudit(context: Context, options: Options): Promise<void> {
  const scope = {
    platformId: idOf('--platform', options.platform),
    userId: idOf('--user', options.user),
    since: options.since === undefined ? undefined : instantOf(options.since, Date.now()),
    limit: limitOf(options.limit),
  };
  const document = await withTenants(context, ({ db }) => readAudit(db, scope));
  const text = document.map(lineOf).join('\n') || 'There are no entries.';
  context.ui.result({ document, text });
}

/** The subject may have been deleted, so it need not exist. */
function idOf(flag: string, id: string | undefined): string | undefined {
  if (id === undefined || isUuid(id)) return id?.toLowerCase();
  throw wrongUsage(`${flag} must be an id, such as 0199b1a2-….`, { setting: flag });
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100_000) return limit;
  throw wrongUsage('--limit must be a whole number from 1 to 100000.', { setting: '--limit' });
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

function lineOf(entry: AuditEntry): string {
  const { at, act, actor, operator, token_id: token, details } = entry;
  const by = operator ? `operator ${operator}` : token ? `${actor} by token ${token}` : actor;
  const about = [
    entry.platform_id && `platform ${entry.platform_id}`,
    entry.user_id && `user ${entry.user_id}`,
    details && JSON.stringify(details),
  ];
  return `${at}  ${act}  ${by}  ${about.filter(Boolean).join('  ')}`.trimEnd();
}
