import { useEffect } from 'preact/hooks';
import { query } from '../../core/router';
import type { Images } from '../library/images';
import type { Library, ViewState } from '../library/library';
import type { Image } from '../library/listing';
import { viewOf } from '../library/view';

/** The list that an image was opened from, and where the image is in it. */
export interface Neighbors {
  readonly images: Images;
  readonly at: number;
  /** The image as the list has it. */
  readonly listed: Image | undefined;
  readonly previous: Image | undefined;
  readonly next: Image | undefined;
  /** The query of the URL of another image of the list. */
  readonly queryOf: (other: Image) => string;
}

/** How far around an image its neighbors are read. */
const around = 10;

/** Undefined if the image was not opened from a list. */
export function useNeighbors(library: Library, id: string): Neighbors | undefined {
  const words = new URLSearchParams(query.value);
  // Where it was when it was opened: where to look for it first.
  const hint = Number(words.get('at') ?? NaN);
  const isListed = Number.isInteger(hint) && hint >= 0;
  const state = isListed ? library.stateOf(viewOf(query.value)) : undefined;
  void state?.images.version.value;
  const listed = state?.images.get(id);
  const at = state ? (listed ? state.images.indexOf(spotOf(id)) : hint) : 0;
  useEffect(() => state?.images.see(Math.max(0, at - around), at + around + 1), [state, at]);
  useEffect(() => () => state?.images.stop(), [state]);
  useReturn(state, listed, at);
  if (!state) return undefined;
  const { images } = state;
  const beside = (index: number): Image | undefined => (listed ? images.at(index) : undefined);
  return {
    images,
    at,
    listed,
    previous: beside(at - 1),
    next: beside(at + 1),
    queryOf: (other) => {
      const to = new URLSearchParams(words);
      to.set('at', String(images.indexOf(spotOf(other.id))));
      return `?${to.toString()}`;
    },
  };
}

const spotOf = (id: string) => ({ id, date: 0, n: 0 });

/** A reader who returns to the list is where this image is. */
function useReturn(state: ViewState | undefined, listed: Image | undefined, at: number): void {
  useEffect(() => {
    if (!state || !listed || state.current.id === listed.id) return;
    state.current = state.images.spotAt(at);
    state.isSought = true;
  }, [state, listed?.id, at]);
}

/** Loads the renditions of the images beside one before they are asked for. */
export function usePreloading(neighbors: Neighbors | undefined): void {
  const urls = [neighbors?.next?.path_url, neighbors?.previous?.path_url];
  useEffect(() => {
    const files = urls.flatMap((url) => {
      if (url === undefined) return [];
      const file = new Image();
      file.src = url;
      return [file];
    });
    return () => files.forEach((file) => (file.src = ''));
  }, urls);
}
