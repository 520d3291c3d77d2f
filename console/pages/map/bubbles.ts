/** What tiles contain about a place: one image, or the newest of several. */
export interface Found {
  readonly imageId: string;
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
      taken.newest = Math.max(taken.newest, each.newest);
      continue;
    }
    const bubble = { first: each, count: each.count, newest: each.newest };
    bubbles.push(bubble);
    const key = `${column},${row}`;
    cells.set(key, [...(cells.get(key) ?? []), bubble]);
  }
  return bubbles.map(({ first, count, newest }) => ({ ...first, count, newest }));
}

const around = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y] as const));
