import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem } from './problem';
import { useWaiting } from './waiting';

interface Loaded<Props> {
  readonly Component?: ComponentType<Props>;
  readonly problem?: unknown;
}

interface State<Props> extends Loaded<Props> {
  readonly load: Load<Props>;
}

export type Load<Props> = () => Promise<{ readonly default: ComponentType<Props> }>;

/** A file of the console that the server no longer has, or that did not arrive. */
const notLoaded = (cause: unknown): Problem => new Problem('page_not_loaded', String(cause));

/** A component whose module is loaded when it is first shown; empty until then. */
export function useModule<Props>(load: Load<Props> | undefined): Loaded<Props> {
  const [state, setState] = useState<State<Props>>();
  useEffect(() => {
    let left = false;
    load?.().then(
      ({ default: Component }) => left || setState({ load, Component }),
      (cause: unknown) => left || setState({ load, problem: notLoaded(cause) }),
    );
    return () => void (left = true);
  }, [load]);
  const loaded = state?.load === load ? state : undefined;
  useWaiting(load !== undefined && loaded === undefined);
  return loaded ?? {};
}
