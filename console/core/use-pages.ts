import { useEffect, useRef, useState } from 'preact/hooks';
import { useWaiting } from './waiting';

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins; null at the end. */
  readonly next: string | null;
  /** Of the whole list. */
  readonly total: number;
}

interface Found<Item> extends Page<Item> {
  /** The keys of the list that this is of. */
  readonly of: string;
}

/**
 * A list that is read page by page, as far as the reader scrolls, and anew when `keys` change. The earlier
 * list stays until the new one has arrived.
 */
export function usePages<Item>(
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
  keys: readonly unknown[],
) {
  const of = JSON.stringify(keys);
  const [found, setFound] = useState<Found<Item>>();
  const [problem, setProblem] = useState<unknown>();
  const [turn, setTurn] = useState(0);
  const running = useRef<AbortController>(null);
  const load = (before: Found<Item> | undefined): AbortController => {
    const stop = new AbortController();
    running.current = stop;
    setProblem(undefined);
    read(before?.next ?? undefined, stop.signal).then(
      ({ items, next, total }) => {
        if (stop.signal.aborted) return;
        running.current = null;
        setFound({ of, items: [...(before?.items ?? []), ...items], next, total });
      },
      (refused: unknown) => {
        if (stop.signal.aborted) return;
        running.current = null;
        setProblem(refused);
      },
    );
    return stop;
  };
  useEffect(() => {
    const first = load(undefined);
    return () => {
      first.abort();
      running.current?.abort();
    };
  }, [of, turn]);
  const isCurrent = found?.of === of;
  useWaiting(!isCurrent && problem === undefined);
  return {
    /** While a new list is read, the one before. */
    found,
    isCurrent,
    problem,
    again: () => setTurn(turn + 1),
    more: () => {
      if (isCurrent && found.next !== null && !running.current) load(found);
    },
    /** Replaces what has changed, without reading everything again. */
    put: (change: (item: Item) => Item): void =>
      setFound((was) => was && { ...was, items: was.items.map(change) }),
  };
}
