import { useEffect, useState } from 'preact/hooks';

/** Milliseconds without typing after which a text is searched for. */
const pauseMs = 250;

/** A text once the reader has paused. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
