import { useEffect, useState } from 'preact/hooks';
import type { Filters } from './filters';
import { nothingYet, readMore } from './nearby';
import type { Area, Nearby } from './nearby';

export interface Reading extends Nearby {
  readonly problem: unknown;
  /** Requests the next page. */
  readonly more: () => void;
}

/** The images in an area, read as far as the reader scrolls. For a platform's map, none. */
export function useNearby(
  userId: string | undefined,
  area: Area | undefined,
  filters: Filters,
): Reading {
  const [state, setState] = useState<{ found: Nearby; problem?: unknown }>({ found: nothingYet });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    setState({ found: nothingYet });
    setTurn((n) => n + 1);
  }, [userId, area, filters]);
  useEffect(() => {
    if (userId === undefined || !area || turn === 0) return undefined;
    const stop = new AbortController();
    readMore(userId, area, filters, state.found, stop.signal).then(
      (found) => stop.signal.aborted || setState({ found }),
      (problem: unknown) => stop.signal.aborted || setState(({ found }) => ({ found, problem })),
    );
    return () => stop.abort();
  }, [turn]);
  return { ...state.found, problem: state.problem, more: () => setTurn((n) => n + 1) };
}
