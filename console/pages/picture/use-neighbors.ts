import { useRead } from '../../core/use-read';
import type { Library } from '../library/library';
import { listingOf } from '../library/listing';
import type { View } from '../library/view';

interface Neighbor {
  readonly id: string;
  /** The query of its URL: the same list with another position. */
  readonly query: string;
}

export interface Neighbors {
  readonly previous?: Neighbor | undefined;
  readonly next?: Neighbor | undefined;
}

/** How far around its position an image is searched for: the list may have changed meanwhile. */
const around = 10;

/** The images before and after an image in the list that it was opened from. */
export function useNeighbors(
  { access }: Library,
  view: View,
  query: string,
  id: string,
): Neighbors {
  const at = Number(new URLSearchParams(query).get('at') ?? NaN);
  const { data } = useRead(
    async (signal): Promise<Neighbors> => {
      if (!Number.isInteger(at) || at < 0) return {};
      const start = Math.max(0, at - around);
      const { items } = await listingOf(access, view).read(start, 2 * around + 1, signal);
      const found = items.findIndex(({ data: { id: each } }) => each === id);
      const beside = (offset: number): Neighbor | undefined => {
        const item = found < 0 ? undefined : items[found + offset];
        if (!item || item.is_folder) return undefined;
        const words = new URLSearchParams(query);
        words.set('at', String(start + found + offset));
        return { id: item.data.id, query: `?${words.toString()}` };
      };
      return { previous: beside(-1), next: beside(1) };
    },
    [id, query],
  );
  return data ?? {};
}
