import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../core/api';
import type { ImageRecord } from './filters';
import type { Reading } from './use-nearby';

/** Records that are kept: as many as a map has places. */
const kept = 2_000;

/** Images that are read one by one for one view: more do not stand alone on most maps. */
const most = 60;

export interface Known {
  /** The records that have been read, by id: they have thumbnails and directions. */
  readonly known: ReadonlyMap<string, ImageRecord>;
  /** Reads images that stand alone on the map, but are not in the list, or not yet. */
  readonly onUnknown: (ids: readonly string[]) => void;
}

/**
 * The records of images on a map. They stay known when the list beside it changes, so that pictures do not
 * become dots and pictures again with every movement.
 */
export function useKnown(userId: string | undefined, nearby: Reading): Known {
  const [known, setKnown] = useState<ReadonlyMap<string, ImageRecord>>(new Map());
  const asked = useRef(new Set<string>());
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const add = (images: readonly ImageRecord[]): void =>
    setKnown((before) => {
      const all = [...before, ...images.map((image) => [image.id, image] as const)];
      return new Map(all.slice(-kept));
    });
  useEffect(() => {
    if (nearby.images.length > 0) add(nearby.images);
  }, [nearby.images]);
  const isReading = nearby.next === null && !nearby.finished && nearby.problem === undefined;
  const onUnknown = (ids: readonly string[]): void => {
    // The list names most of them, and comes first.
    if (userId === undefined || isReading) return;
    const missing = ids.filter((id) => !asked.current.has(id)).slice(0, most);
    if (missing.length === 0) return;
    if (asked.current.size > kept) asked.current.clear();
    for (const id of missing) asked.current.add(id);
    const { signal } = stop.current;
    void readEach(userId, missing, signal).then((images) => signal.aborted || add(images));
  };
  return { known, onUnknown };
}

/** Those that cannot be read, or have been deleted since, stay dots on the map. */
async function readEach(
  user_id: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ImageRecord[]> {
  const query = { with_memo: 'False', with_custom: 'False' } as const;
  const answers = await Promise.allSettled(
    ids.map((image_id) =>
      call((client) =>
        client.GET('/api/v1/users/{user_id}/images/{image_id}', {
          params: { path: { user_id, image_id }, query },
          signal,
        }),
      ),
    ),
  );
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
}
