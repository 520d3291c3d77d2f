import { useEffect, useState } from 'preact/hooks';

/** Attempts before the reader has to ask for another one. */
const most = 5;
/** Milliseconds to wait if a server that is too busy does not say how long. */
const usualMs = 5_000;

type Course = 'loading' | 'shown' | 'busy' | 'failed';

export interface Whole {
  readonly course: Course;
  /** Changes with each attempt. */
  readonly attempt: number;
  readonly onShown: () => void;
  readonly onFail: () => void;
  readonly again: () => void;
}

interface State {
  readonly url: string | undefined;
  readonly course: Course;
  readonly attempt: number;
}

/**
 * How an element's failed request was answered, which the element does not tell.
 * @returns after how many milliseconds another attempt may succeed.
 */
async function whyNot(url: string, signal: AbortSignal): Promise<'failed' | number> {
  // Other servers may not let scripts of this page see how they answer.
  if (new URL(url, location.href).origin !== location.origin) return 'failed';
  const { ok, status, headers, body } = await fetch(url, { signal });
  await body?.cancel();
  if (ok) return 0;
  if (status !== 503) return 'failed';
  const seconds = Number(headers.get('Retry-After') ?? NaN);
  return seconds > 0 ? seconds * 1_000 : usualMs;
}

/**
 * Follows the request for a whole picture, which the server may make at first: it is repeated while
 * the server is too busy, as often as it says.
 */
export function useWhole(url: string | undefined): Whole {
  const fresh: State = { url, course: 'loading', attempt: 0 };
  const [kept, setState] = useState(fresh);
  const state = kept.url === url ? kept : fresh;
  const become = (course: Course): void => setState({ ...state, course });
  useEffect(() => {
    if (state.course !== 'busy' || url === undefined) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const next = (): void => setState({ url, course: 'loading', attempt: state.attempt + 1 });
    whyNot(url, stop.signal).then(
      (answer) => {
        if (stop.signal.aborted) return;
        if (typeof answer === 'number' && state.attempt < most) timer = setTimeout(next, answer);
        else become('failed');
      },
      () => stop.signal.aborted || become('failed'),
    );
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [url, state.course, state.attempt]);
  return {
    course: state.course,
    attempt: state.attempt,
    onShown: () => become('shown'),
    onFail: () => become('busy'),
    again: () => setState({ url, course: 'loading', attempt: state.attempt + 1 }),
  };
}
