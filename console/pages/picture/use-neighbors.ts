import { useEffect } from 'preact/hooks';
import { query } from '../../core/router';
import type { Library } from '../library/library';
import type { Image } from '../library/listing';
import type { Pages } from '../library/pages';
import { viewOf } from '../library/view';

/** The list that an image was opened from, and where the image is in it. */
export interface Neighbors {
  readonly pages: Pages;
  readonly at: number;
  /** The image as the list has it. */
  readonly listed: Image | undefined;
  readonly previous: number | undefined;
  readonly next: number | undefined;
  /** The query of the URL of another image of the list: its position is in it. */
  readonly queryOf: (index: number) => string;
}

/** How far around its position an image is searched for: the list may have changed meanwhile. */
const around = 10;

export const imageAt = (pages: Pages, index: number): Image | undefined => {
  const item = index >= 0 ? pages.at(index) : undefined;
  return item && !item.is_folder ? item.data : undefined;
};

function positionOf(pages: Pages, id: string, expected: number): number {
  for (let off = 0; off <= around; off += 1) {
    for (const index of [expected + off, expected - off]) {
      if (imageAt(pages, index)?.id === id) return index;
    }
  }
  return expected;
}

/** Undefined if the image was not opened from a list. */
export function useNeighbors(library: Library, id: string): Neighbors | undefined {
  const words = new URLSearchParams(query.value);
  const expected = Number(words.get('at') ?? NaN);
  const isListed = Number.isInteger(expected) && expected >= 0;
  const state = isListed ? library.stateOf(viewOf(query.value)) : undefined;
  void state?.pages.version.value;
  useEffect(() => {
    state?.pages.see(Math.max(0, expected - around), expected + around + 1);
    return () => state?.pages.stop();
  }, [state]);
  const at = state ? positionOf(state.pages, id, expected) : expected;
  // A reader who returns to the list is where this image is.
  useEffect(() => {
    if (!state || state.current === at) return;
    state.current = at;
    state.isSought = true;
  }, [state, at]);
  if (!state) return undefined;
  const { pages } = state;
  const listed = imageAt(pages, at);
  const beside = (index: number): number | undefined =>
    listed?.id === id && imageAt(pages, index) ? index : undefined;
  return {
    pages,
    at,
    listed: listed?.id === id ? listed : undefined,
    previous: beside(at - 1),
    next: beside(at + 1),
    queryOf: (index) => {
      const other = new URLSearchParams(words);
      other.set('at', String(index));
      return `?${other.toString()}`;
    },
  };
}

/** Loads the renditions of the images beside one before they are asked for. */
export function usePreloading(neighbors: Neighbors | undefined): void {
  const urls = [neighbors?.next, neighbors?.previous].map((index) =>
    neighbors && index !== undefined ? imageAt(neighbors.pages, index)?.path_url : undefined,
  );
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
