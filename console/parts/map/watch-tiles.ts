import { problemOf } from '../../core/problem';
import { onReturn, seek, unanswered } from '../../core/reach';
import type { MapView } from './engine';

/** MapLibre's event for a failed request. */
interface Failed {
  readonly error: unknown;
  readonly sourceId?: string;
}

export interface WatchedTiles {
  /** Requests failed tiles again, which MapLibre does not do by itself. */
  readonly again: () => void;
  readonly stop: () => void;
}

/**
 * Watches the tiles of a map, and requests those that failed again once the server is back.
 * @param onProblem receives the problem, and undefined once it is solved.
 */
export function watchTiles(map: MapView, onProblem: (problem: unknown) => void): WatchedTiles {
  const broken = new Set<string>();
  const fail = ({ error, sourceId }: Failed): void => {
    if (sourceId !== undefined) broken.add(sourceId);
    onProblem(wordsFor(error));
  };
  // After a move, other tiles are visible.
  const leave = (): void => onProblem(undefined);
  const again = (): void => {
    onProblem(undefined);
    for (const source of broken) if (map.getSource(source)) map.refreshTiles(source);
    broken.clear();
  };
  map.on('error', fail);
  map.on('movestart', leave);
  const forget = onReturn(again);
  const stop = (): void => {
    map.off('error', fail);
    map.off('movestart', leave);
    forget();
  };
  return { again, stop };
}

/** Converts an error to a problem of the console. Starts checking the server if it is away. */
function wordsFor(error: unknown): unknown {
  const { status } = error as { readonly status?: number };
  if (status === undefined) return error;
  if (status === 0) return unanswered();
  const problem = problemOf(status, undefined);
  if (problem.isSilence) seek();
  return problem;
}
