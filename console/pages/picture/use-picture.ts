import { useEffect, useRef, useState } from 'preact/hooks';
import { onReturn } from '../../core/reach';
import type { Access } from '../library/access';
import { readImage } from './record';
import type { Image } from './record';

export interface ReadPicture {
  /** Undefined until it has been read. */
  readonly image: Image | undefined;
  readonly problem: unknown;
  readonly again: () => void;
}

interface State {
  readonly id: string;
  readonly image?: Image;
  readonly problem?: unknown;
}

/** Reads an image, and again when asked for; what was read of another one is not shown for it. */
export function usePicture(access: Access, id: string): ReadPicture {
  const [kept, setState] = useState<State>({ id });
  const [turn, setTurn] = useState(0);
  const again = (): void => setTurn((n) => n + 1);
  useEffect(() => {
    const stop = new AbortController();
    readImage(access, id, stop.signal).then(
      (image) => stop.signal.aborted || setState({ id, image }),
      (problem: unknown) =>
        stop.signal.aborted || setState((was) => ({ ...(was.id === id && was), id, problem })),
    );
    return () => stop.abort();
  }, [access, id, turn]);
  useEffect(() => onReturn(again), []);
  const { image, problem } = kept.id === id ? kept : { image: undefined, problem: undefined };
  return { image, problem, again };
}

/** Milliseconds after which an image whose URLs do not work is read again. */
const youngMs = 30_000;

/** Renews an image whose picture failed to load: its URLs may have expired, if they are old enough. */
export function useRenewal(id: string | undefined, renew: () => void): () => void {
  const since = useRef({ id, at: Date.now() });
  if (since.current.id !== id) since.current = { id, at: Date.now() };
  return () => {
    if (Date.now() - since.current.at < youngMs) return;
    since.current = { id, at: Date.now() };
    renew();
  };
}
