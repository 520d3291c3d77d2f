import { useEffect, useState } from 'preact/hooks';
import { useWaiting } from '../../core/waiting';
import { readAccounts } from './accounts';
import type { Account } from './accounts';

/** Users per request: a screen or two. */
const pageSize = 200;

interface Found {
  /** The users that this search found. */
  readonly of: string;
  readonly items: readonly Account[];
  readonly total: number;
  /** For the next page; null at the end. */
  readonly next: string | null;
}

/** Pages of a platform's users, read as far as the reader scrolls. */
export function useAccounts(platform: string, search = '', turn = 0) {
  const of = JSON.stringify([platform, search, turn]);
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState<unknown>();
  const current = found?.of === of ? found : undefined;
  useWaiting(current === undefined && problem === undefined);
  const read = (before: Found | undefined, signal?: AbortSignal): void => {
    const cursor = before?.next ?? null;
    readAccounts(platform, { cursor, size: pageSize, search, signal }).then(
      ({ items, total_count: total, next_cursor: next }) => {
        setProblem(undefined);
        setFound({ of, items: [...(before?.items ?? []), ...items], total, next });
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
    /** While a new search is running, the results of the one before. */
    accounts: found,
    problem,
    again: () => read(undefined),
    more: () => current && current.next !== null && read(current),
    /** Replaces one user that has changed, without reading all of them again. */
    put: (changed: Pick<Account, 'id'> & Partial<Account>): void =>
      setFound(
        (was) =>
          was && {
            ...was,
            items: was.items.map((each) =>
              each.id === changed.id ? { ...each, ...changed } : each,
            ),
          },
      ),
  };
}
