import { useEffect, useState } from 'preact/hooks';
import { call } from '../../core/api';
import type { components } from '../../core/api';

export type Account = components['schemas']['Account'];

/** Users per request: a screen or two. */
const pageSize = 200;

interface Found {
  /** Of this search. */
  readonly of: string;
  readonly items: readonly Account[];
  readonly total: number;
  readonly next: number;
}

/** Pages of a platform's users, as far as they have been scrolled to. */
export function useAccounts(platform: string, search: string, turn: number) {
  const of = JSON.stringify([platform, search, turn]);
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState<unknown>();
  const current = found?.of === of ? found : undefined;
  const read = (from: Found | undefined, signal?: AbortSignal): void => {
    const query = { page_size: pageSize, last_index: from?.next ?? 0, ...(search && { search }) };
    const params = { path: { platform_id: platform }, query };
    call((client) =>
      client.GET('/api/v1/platforms/{platform_id}/accounts', { params, ...(signal && { signal }) }),
    ).then(
      ({ items, total_count: total, last_index: next }) => {
        setProblem(undefined);
        setFound({ of, items: [...(from?.items ?? []), ...items], total, next });
      },
      (refused: unknown) => signal?.aborted || setProblem(refused),
    );
  };
  useEffect(() => {
    const stop = new AbortController();
    read(undefined, stop.signal);
    return () => stop.abort();
  }, [of]);
  return {
    /** While another search is under way, what the one before found. */
    accounts: found,
    problem,
    again: () => read(undefined),
    more: () => current && read(current),
  };
}
