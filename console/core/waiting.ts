import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** How many parts of the page have nothing to show yet: a line at its top says so (Waiting.tsx). */
export const waiting = signal(0);

/** Counts a component as long as it waits. */
export function useWaiting(waits: boolean): void {
  useEffect(() => {
    if (!waits) return undefined;
    waiting.value += 1;
    return () => void (waiting.value -= 1);
  }, [waits]);
}
