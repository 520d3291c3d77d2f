import type { Position } from 'geojson';

type Rings = readonly (readonly Position[])[];

/** Latitude up to which a map in the Mercator projection reaches. */
const mapEnd = 85;
/** Parallels that are tried. */
const parallels = 24;
/** How many times a name is as wide as it needs room above and below. */
const aspect = 4;

interface Stretch {
  readonly from: number;
  readonly to: number;
}

const lengthOf = ({ from, to }: Stretch): number => to - from;

/**
 * Where a parallel or a meridian lies inside a polygon.
 * @param across the coordinate that is the same along the line: 0 for a meridian, 1 for a parallel.
 */
function inside(rings: Rings, across: 0 | 1, at: number): Stretch[] {
  const along = 1 - across;
  const ends: number[] = [];
  for (const ring of rings) {
    let [before = 0, value = 0] = [ring.at(-1)?.[across], ring.at(-1)?.[along]];
    for (const point of ring) {
      const [next = 0, nextValue = 0] = [point[across], point[along]];
      if (before > at !== next > at) {
        ends.push(value + ((at - before) / (next - before)) * (nextValue - value));
      }
      [before, value] = [next, nextValue];
    }
  }
  ends.sort((a, b) => a - b);
  return ends.flatMap((from, n) => (n % 2 === 0 ? [{ from, to: ends[n + 1] ?? from }] : []));
}

/** In the middle of a parallel's longest stretch inside a polygon, where a name has most room. */
export function labelPlace(rings: Rings): Position | undefined {
  const latitudes = (rings[0] ?? []).map(([, latitude = 0]) => latitude);
  const south = Math.max(-mapEnd, Math.min(...latitudes));
  const north = Math.min(mapEnd, Math.max(...latitudes));
  let best: { readonly room: number; readonly place: Position } | undefined;
  for (let n = 1; n < parallels; n += 1) {
    const latitude = south + ((north - south) * n) / parallels;
    const [widest] = inside(rings, 1, latitude).sort((a, b) => lengthOf(b) - lengthOf(a));
    if (!widest) continue;
    const longitude = (widest.from + widest.to) / 2;
    const column = inside(rings, 0, longitude).find(
      ({ from, to }) => from <= latitude && latitude <= to,
    );
    if (!column) continue;
    const least = Math.min(latitude - Math.max(south, column.from), column.to - latitude);
    // In this projection, a degree of latitude is longer the farther it is from the equator.
    const high = (2 * least) / Math.cos((latitude * Math.PI) / 180);
    const room = Math.min(lengthOf(widest), aspect * high);
    if (!best || room > best.room) best = { room, place: [longitude, latitude] };
  }
  return best?.place;
}
