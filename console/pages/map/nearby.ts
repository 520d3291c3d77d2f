import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../core/api';
import type { Answer, components } from '../../core/api';
import { filtersOf } from '../library/listing';
import type { View } from '../library/view';
import { distance } from './circle';
import type { Circle } from './circle';
import { has } from './frame';
import type { Frame } from './frame';

export type ImageRecord = components['schemas']['Image'];
type ImageList = components['schemas']['ImageList'];

/** The area of the listed images: a view or a circle. */
export interface Area {
  readonly frame: Frame;
  readonly circle: Circle | undefined;
}

/** The images read so far, nearest first. */
interface Nearby {
  readonly images: readonly ImageRecord[];
  readonly finished: boolean;
  /** The cursor of the next page; null for the first one. */
  readonly next: string | null;
  /** The number of images in the circle; unknown for a view. */
  readonly total: number | undefined;
}

const nothingYet: Nearby = { images: [], finished: false, next: null, total: undefined };

const pageSize = 60;

/** Pages that are read in one go without finding any image in the view. */
const maxPages = 5;

/** A little more than half the circumference of the earth, in meters. */
const everywhere = 20_050_000;

/** Degrees of longitude up to which no place of a view is farther from its middle than its corners. */
const widest = 170;

/** The distance of the corners of a view from its middle, and a little more. */
function reachOf(frame: Frame): number {
  if (frame.east - frame.west > widest) return everywhere;
  const corners = [frame.south, frame.north].flatMap((latitude) =>
    [frame.west, frame.east].map((longitude) => distance(frame, { latitude, longitude })),
  );
  return Math.min(everywhere, 1.01 * Math.max(...corners));
}

/** The next page of images: those in the circle around a view that are also in the view. */
async function readMore(
  userId: string,
  { frame, circle }: Area,
  view: View,
  before: Nearby,
  signal: AbortSignal,
): Promise<Nearby> {
  const { latitude, longitude, radius } = circle ?? { ...frame, radius: reachOf(frame) };
  let { next } = before;
  for (let page = 0; page < maxPages; page += 1) {
    const query = {
      ...filtersOf({ ...view, trash: false, circle: '' }),
      view_type: 'map' as const,
      page_size: pageSize,
      latitude,
      longitude,
      radius: Math.ceil(radius),
      ...(next !== null && { cursor: next }),
    };
    const params = { path: { user_id: userId }, query };
    // The type covers other views as well: a ZIP and days.
    const found = await call(
      (client) =>
        client.GET('/api/v1/users/{user_id}/images', { params, signal }) as Promise<
          Answer<ImageList>
        >,
    );
    const records = found.items;
    const fresh = circle ? records : records.filter((image) => isSeen(frame, image));
    next = found.next_cursor;
    const finished = next === null;
    if (fresh.length > 0 || finished) {
      const total = circle ? found.total_count : undefined;
      return { images: [...before.images, ...fresh], finished, next, total };
    }
  }
  return { ...before, next };
}

const isSeen = (frame: Frame, { lat, lng }: ImageRecord): boolean =>
  lat !== null && lng !== null && has(frame, { latitude: lat, longitude: lng });

export interface Reading extends Nearby {
  readonly problem: unknown;
  /** Requests the next page. */
  readonly more: () => void;
}

/** The images in an area, read as far as the reader scrolls. For a platform's map, none. */
export function useNearby(userId: string | undefined, area: Area | undefined, view: View): Reading {
  const [state, setState] = useState<{ found: Nearby; problem?: unknown }>({ found: nothingYet });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    setState({ found: nothingYet });
    setTurn((n) => n + 1);
  }, [userId, area, view]);
  useEffect(() => {
    if (userId === undefined || !area || turn === 0) return undefined;
    const stop = new AbortController();
    readMore(userId, area, view, state.found, stop.signal).then(
      (found) => stop.signal.aborted || setState({ found }),
      (problem: unknown) => stop.signal.aborted || setState(({ found }) => ({ found, problem })),
    );
    return () => stop.abort();
  }, [turn]);
  return { ...state.found, problem: state.problem, more: () => setTurn((n) => n + 1) };
}

/** Records that are kept: as many as a map has places. */
const kept = 2_000;

/** Images that are read one by one for one view: more do not stand alone on most maps. */
const most = 60;

interface Known {
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
