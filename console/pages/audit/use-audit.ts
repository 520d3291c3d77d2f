import { useEffect, useState } from 'preact/hooks';
import { call } from '../../core/api';
import type { components } from '../../core/api';
import { apiDay } from '../../core/days';
import { session } from '../../core/session';
import { queryOf } from './filters';
import type { Filters } from './filters';

export type AuditEntry = components['schemas']['AuditEntry'];
type AuditPage = components['schemas']['AuditPage'];

interface Found {
  readonly entries: readonly AuditEntry[];
  /** Where older entries begin; undefined: there are none. */
  readonly next: string | undefined;
}

/** Entries that the reader gets at once, if there are as many; a page of the API may have fewer. */
const enough = 100;

/** Entries of the audit, read as far as the reader wants. */
export function useAudit(filters: Filters) {
  const of = queryOf(filters);
  const [kept, setKept] = useState<{ readonly of: string; readonly found: Found }>();
  const [problem, setProblem] = useState<unknown>();
  const [turn, setTurn] = useState({ of, wanted: enough, n: 0 });
  const found = kept?.of === of ? kept.found : undefined;
  const wanted = turn.of === of ? turn.wanted : enough;
  const more = !found || (found.next !== undefined && found.entries.length < wanted);
  const reading = more && problem === undefined;
  useEffect(() => {
    if (!reading) return undefined;
    const stop = new AbortController();
    read(filters, found?.next, stop.signal).then(
      ({ entries, last, more: older }) => {
        const next = older ? last : undefined;
        setKept({ of, found: { entries: [...(found?.entries ?? []), ...entries], next } });
      },
      (refused: unknown) => stop.signal.aborted || setProblem(refused),
    );
    return () => stop.abort();
  }, [of, found?.next, reading, turn.n]);
  useEffect(() => setProblem(undefined), [of]);
  const again = (): void => {
    setProblem(undefined);
    setTurn({ of, wanted, n: turn.n + 1 });
  };
  return {
    entries: found?.entries ?? [],
    reading,
    problem,
    again,
    /** Reads older ones; undefined if there are none. */
    older:
      found?.next === undefined || reading
        ? undefined
        : () => setTurn({ of, wanted: found.entries.length + enough, n: turn.n + 1 }),
  };
}

/** The words of a URL may be any; the API names the one that is wrong. */
function read(filters: Filters, before: string | undefined, signal: AbortSignal) {
  const { platform, user, from, to, actor, act, content } = filters;
  const query = {
    ...(user && { user_id: user }),
    ...(from && { since: apiDay(from) }),
    ...(to && { until: apiDay(to) }),
    ...(actor && { actor: actor as 'admin' }),
    ...(act && { act: act as 'user.suspend' }),
    ...(content && { content: 'True' as const }),
    ...(before && { before }),
    limit: enough,
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
