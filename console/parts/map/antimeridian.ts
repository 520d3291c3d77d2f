import type { Position } from 'geojson';

// A map draws the world from 180° W to 180° E. Outlines of countries go on beyond: Russia, Fiji and
// Antarctica have neighboring points at both ends of the map, which it would join straight across.

type Line = readonly Position[];

const longitude = ([degrees = 0]: Position): number => degrees;
const latitude = ([, degrees = 0]: Position): number => degrees;

/** Whether a line goes over an end of the map: then it has neighbors more than half a turn apart. */
export const crosses = (line: Line): boolean =>
  line.some((point, index) => Math.abs(stepTo(point, line[index - 1])) > 180);

/** Degrees to the east from the point before. */
const stepTo = (point: Position, before = point): number => longitude(point) - longitude(before);

/** The same line with each point less than half a turn from the one before: longitudes exceed 180°. */
function unrolled(line: Line): Position[] {
  let turns = 0;
  return line.map((point, index) => {
    const step = stepTo(point, line[index - 1]);
    if (step > 180) turns -= 1;
    else if (step < -180) turns += 1;
    return [longitude(point) + 360 * turns, latitude(point)];
  });
}

/** The latitude at which the line between two points crosses a meridian. */
function latitudeAt(meridian: number, from: Position, to: Position): number {
  const width = longitude(to) - longitude(from);
  const share = width === 0 ? 0 : (meridian - longitude(from)) / width;
  return latitude(from) + share * (latitude(to) - latitude(from));
}

/** The lines that a line consists of on a map from 180° W to 180° E. */
export function cutLine(line: Line): Position[][] {
  const lines: Position[][] = [];
  let current: Position[] = [];
  for (const [index, point] of line.entries()) {
    const before = line[index - 1] ?? point;
    const step = stepTo(point, before);
    if (Math.abs(step) > 180) {
      const edge = step < 0 ? 180 : -180;
      const beyond = [longitude(point) + 2 * edge, latitude(point)];
      const at = latitudeAt(edge, before, beyond);
      lines.push([...current, [edge, at]]);
      current = [[-edge, at]];
    }
    current.push(point);
  }
  return [...lines, current];
}

/** The part of a ring on one side of a meridian (Sutherland and Hodgman). */
function half(ring: Line, meridian: number, side: 1 | -1): Position[] {
  const isInside = (point: Position): boolean => (longitude(point) - meridian) * side >= 0;
  return ring.flatMap((point, index) => {
    const before = ring.at(index - 1) ?? point;
    const crossing = [meridian, latitudeAt(meridian, before, point)];
    return [
      ...(isInside(before) === isInside(point) ? [] : [crossing]),
      ...(isInside(point) ? [point] : []),
    ];
  });
}

/** A ring around a pole encloses it: on the map, it goes down one edge and up the other. */
function closed(ring: Position[]): Position[] {
  const [first = [], last = []] = [ring[0], ring.at(-1)];
  if (Math.abs(longitude(last) - longitude(first)) < 180) return ring;
  const pole = latitude(first) < 0 ? -90 : 90;
  return [...ring, [longitude(last), pole], [longitude(first), pole], first];
}

/** The rings that the outer ring of a polygon consists of on a map from 180° W to 180° E. */
export function cutRing(ring: Line): Position[][] {
  const whole = closed(unrolled(ring));
  return [-360, 0, 360].flatMap((turn) => {
    const shifted = whole.map((point) => [longitude(point) + turn, latitude(point)]);
    const part = half(half(shifted, -180, 1), 180, -1);
    const [first] = part;
    const isArea = first && part.some((point) => longitude(point) !== longitude(first));
    return isArea ? [[...part, first]] : [];
  });
}
