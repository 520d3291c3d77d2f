import { useEffect, useState } from 'preact/hooks';
import type { Access } from '../library/access';
import { trash } from '../library/actions';
import type { Image } from './record';

/** What can be taken back. */
interface Undoable {
  readonly image: Image;
  /** Where it was opened. */
  readonly path: string;
}

export interface Trashing {
  readonly problem: unknown;
  readonly undoable: Undoable | undefined;
  readonly set: (image: Image, into: boolean, path: string) => void;
  readonly undo: () => void;
}

/** Milliseconds for which the way back is offered. */
const offeredMs = 10_000;

/** Moves pictures to the trash and back. @param onDone after that. */
export function useTrash(access: Access, onDone: (into: boolean, path: string) => void): Trashing {
  const [problem, setProblem] = useState<unknown>();
  const [undoable, setUndoable] = useState<Undoable>();
  useEffect(() => {
    if (!undoable) return undefined;
    const timer = setTimeout(() => setUndoable(undefined), offeredMs);
    return () => clearTimeout(timer);
  }, [undoable]);
  const set: Trashing['set'] = (image, into, path) => {
    setProblem(undefined);
    setUndoable(undefined);
    void trash(access, [{ is_folder: false, data: image }], into).then((outcome) => {
      setProblem(outcome.problem);
      if (outcome.failed > 0) return;
      if (into) setUndoable({ image, path });
      onDone(into, path);
    });
  };
  const undo = (): void => {
    if (undoable) set(undoable.image, false, undoable.path);
  };
  return { problem, undoable, set, undo };
}
