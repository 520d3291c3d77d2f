/** What tiles contain about a place: one image, or the newest of several. */
export interface Found {
  readonly imageId: string;
  /** The images that are known one by one: not those that tiles only count. */
  readonly imageIds: readonly string[];
  /** The owner of the image, on the map of a platform. */
  readonly userId: string | undefined;
  readonly count: number;
  /** YYYYMMDD. */
  readonly newest: number;
  readonly longitude: number;
  readonly latitude: number;
  /** Pixels on the whole map at this zoom, which do not change when the map is moved. */
  readonly x: number;
  readonly y: number;
}

/** Minimum distance between bubbles, in pixels. */
const apart = 52;

interface Growing {
  readonly first: Found;
  readonly imageIds: string[];
  count: number;
  newest: number;
}

/**
 * As many bubbles as fit, the largest first. Images too close to a bubble are counted in it, so the
 * counts add up to all that was found.
 */
export function bubblesOf(found: readonly Found[]): Found[] {
  const bubbles: Growing[] = [];
  const cells = new Map<string, Growing[]>();
  const cellOf = (value: number): number => Math.floor(value / apart);
  const sorted = found.toSorted((a, b) => b.count - a.count || (a.imageId < b.imageId ? -1 : 1));
  for (const each of sorted) {
    const [column, row] = [cellOf(each.x), cellOf(each.y)];
    const near = around.flatMap(([x, y]) => cells.get(`${column + x},${row + y}`) ?? []);
    const taken = near.find(({ first }) => Math.hypot(first.x - each.x, first.y - each.y) < apart);
    if (taken) {
      taken.count += each.count;
      taken.imageIds.push(...each.imageIds);
      taken.newest = Math.max(taken.newest, each.newest);
      continue;
    }
    const { count, newest } = each;
    const bubble = { first: each, imageIds: [...each.imageIds], count, newest };
    bubbles.push(bubble);
    const key = `${column},${row}`;
    cells.set(key, [...(cells.get(key) ?? []), bubble]);
  }
  return bubbles.map(({ first, ...grown }) => ({ ...first, ...grown }));
}

const around = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y] as const));
