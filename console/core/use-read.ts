import { useEffect, useState } from 'preact/hooks';
import { useWaiting } from './waiting';

export interface Read<T> {
  readonly data: T | undefined;
  readonly problem: unknown;
  readonly again: () => void;
}

/**
 * Reads something when a component appears, and again when `keys` change. The earlier data stays
 * until the new data has arrived, so that a page does not flicker.
 * @param everyMs interval after which it is read again, as long as the page is visible.
 */
export function useRead<T>(
  read: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
  everyMs?: number,
): Read<T> {
  const [state, setState] = useState<{ data?: T; problem?: unknown }>();
  const [turn, setTurn] = useState(0);
  useWaiting(state === undefined);
  useEffect(() => {
    const stop = new AbortController();
    read(stop.signal).then(
      (data) => stop.signal.aborted || setState({ data }),
      (problem: unknown) =>
        stop.signal.aborted || setState((was) => ({ data: was?.data, problem })),
    );
    return () => stop.abort();
  }, [...keys, turn]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => document.hidden || setTurn((n) => n + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return { data: state?.data, problem: state?.problem, again: () => setTurn((n) => n + 1) };
}
