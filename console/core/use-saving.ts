import { useState } from 'preact/hooks';

interface Saving {
  readonly busy: boolean;
  readonly problem: unknown;
  readonly save: (work: () => Promise<void>) => void;
}

/** Saves something, one request at a time, and keeps the last problem. */
export function useSaving(): Saving {
  const [state, setState] = useState<{ busy: boolean; problem?: unknown }>({ busy: false });
  const save: Saving['save'] = (work) => {
    if (state.busy) return;
    setState({ busy: true });
    work().then(
      () => setState({ busy: false }),
      (problem: unknown) => setState({ busy: false, problem }),
    );
  };
  return { busy: state.busy, problem: state.problem, save };
}
