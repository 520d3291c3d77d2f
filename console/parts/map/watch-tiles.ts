import { problemOf } from '../../core/problem';
import { onReturn, seek, unanswered } from '../../core/reach';
import type { MapView } from './engine';

/** What MapLibre says of a request that failed. */
interface Failed {
  readonly error: unknown;
  readonly sourceId?: string;
}

export interface WatchedTiles {
  /** Asks again for tiles that failed: by itself, MapLibre asks for none of them twice. */
  readonly again: () => void;
  readonly stop: () => void;
}

/**
 * Watches the tiles of a map, and asks again for those that failed once the server is back.
 * @param onProblem is told what went wrong, and undefined when that is over.
 */
export function watchTiles(map: MapView, onProblem: (problem: unknown) => void): WatchedTiles {
  const broken = new Set<string>();
  const fail = ({ error, sourceId }: Failed): void => {
    if (sourceId !== undefined) broken.add(sourceId);
    onProblem(wordsFor(error));
  };
  // What is seen then has tiles of its own.
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

/** In words of the console. Has the server looked for if it is away. */
function wordsFor(error: unknown): unknown {
  const { status } = error as { readonly status?: number };
  if (status === undefined) return error;
  if (status === 0) return unanswered();
  const problem = problemOf(status, undefined);
  if (problem.isSilence) seek();
  return problem;
}
