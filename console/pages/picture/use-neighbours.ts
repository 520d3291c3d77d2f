import { useRead } from '../../core/use-read';
import type { Library } from '../library/library';
import { listingOf } from '../library/listing';
import type { View } from '../library/view';

interface Neighbour {
  readonly id: string;
  /** Of its address: the same list, another place in it. */
  readonly query: string;
}

export interface Neighbours {
  readonly previous?: Neighbour | undefined;
  readonly next?: Neighbour | undefined;
}

/** How far around its place an image is looked for: the list may have changed meanwhile. */
const around = 10;

/** What lies beside an image in the list that it was opened from. */
export function useNeighbours(
  { access }: Library,
  view: View,
  query: string,
  id: string,
): Neighbours {
  const at = Number(new URLSearchParams(query).get('at') ?? NaN);
  const { data } = useRead(
    async (signal): Promise<Neighbours> => {
      if (!Number.isInteger(at) || at < 0) return {};
      const start = Math.max(0, at - around);
      const { items } = await listingOf(access, view).read(start, 2 * around + 1, signal);
      const found = items.findIndex(({ data: { id: each } }) => each === id);
      const beside = (offset: number): Neighbour | undefined => {
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
