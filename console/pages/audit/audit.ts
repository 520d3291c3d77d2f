import { call } from '../../core/api';
import type { components } from '../../core/api';
import { apiDay } from '../../core/days';
import { session } from '../../core/session';
import type { Page } from '../../core/use-pages';
import type { Filters } from './filters';

export type AuditEntry = components['schemas']['AuditEntry'];
type AuditPage = components['schemas']['AuditPage'];

/** Entries per page; a page of the API may have fewer, although there are more. */
const pageSize = 100;

/** A page of the audit, the newest entries first. @throws Problem. */
export async function readAudit(
  filters: Filters,
  cursor: string | undefined,
  signal: AbortSignal,
  size = pageSize,
): Promise<Page<AuditEntry>> {
  const items: AuditEntry[] = [];
  let next = cursor ?? null;
  do {
    const { entries, last, more } = await readPart(filters, next, size - items.length, signal);
    items.push(...entries);
    next = more ? last : null;
  } while (next !== null && items.length < size);
  return { items, next, total: items.length + (next === null ? 0 : 1) };
}

/** The words of a URL may be any; the API names the one that is wrong. */
function readPart(filters: Filters, before: string | null, limit: number, signal: AbortSignal) {
  const { platform, user, from, to, actor, act, content } = filters;
  const query = {
    ...(user && { user_id: user }),
    ...(from && { since: apiDay(from) }),
    ...(to && { until: apiDay(to) }),
    ...(actor && { actor: actor as 'admin' }),
    ...(act && { act: act as 'user.suspend' }),
    ...(content && { content: 'True' as const }),
    ...(before && { before }),
    limit,
  };
  const platform_id = session.value?.platformId;
  return platform_id === undefined
    ? call<AuditPage>((client) =>
        client.GET('/api/v1/audit', {
          params: { query: { ...query, ...(platform && { platform_id: platform }) } },
          signal,
        }),
      )
    : call<AuditPage>((client) =>
        client.GET('/api/v1/platforms/{platform_id}/audit', {
          params: { path: { platform_id }, query },
          signal,
        }),
      );
}

/** Entries of what somebody did in one go, such as 50 images moved by one request. */
export interface Act {
  /** The newest. */
  readonly entry: AuditEntry;
  readonly entries: readonly AuditEntry[];
}

/** Seconds within which the same, done to the same user, is one act. */
const withinSeconds = 60;

const secondOf = (at: string): number =>
  Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z')) / 1_000;

const doneBy = ({ act, actor, operator, token_id, platform_id, user_id }: AuditEntry): string =>
  JSON.stringify([act, actor, operator, token_id, platform_id, user_id]);

/** Entries, the newest first, as acts. */
export function actsOf(entries: readonly AuditEntry[]): Act[] {
  const acts: { entry: AuditEntry; entries: AuditEntry[] }[] = [];
  for (const entry of entries) {
    const open = acts.at(-1);
    const before = open?.entries.at(-1);
    const isSame =
      before !== undefined &&
      before.at.slice(0, 8) === entry.at.slice(0, 8) &&
      doneBy(before) === doneBy(entry) &&
      secondOf(before.at) - secondOf(entry.at) <= withinSeconds;
    if (isSame) open?.entries.push(entry);
    else acts.push({ entry, entries: [entry] });
  }
  return acts;
}
