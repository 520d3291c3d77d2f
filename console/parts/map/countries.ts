import type {
  Feature,
  FeatureCollection,
  Geometry,
  MultiLineString,
  Point,
  Position,
} from 'geojson';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { crosses, cutLine, cutRing } from './antimeridian';
import { labelPlace } from './label-place';

export type World = Topology<{ countries: GeometryCollection<{ name: string }> }>;

/** A country, or a territory with a name of its own. */
export interface Land {
  /** In English, as Natural Earth has it. */
  readonly name: string;
  /** The number of ISO 3166, if it has one. */
  readonly number: string | undefined;
  /** Of its largest part, in degrees. */
  readonly width: number;
}

/** A polygon: its outer ring, and its holes. */
type Part = Position[][];

export interface Outlines {
  /** Areas; their edges also run along both ends of the map. */
  readonly countries: FeatureCollection;
  /** Coasts, and lines between countries, each once. */
  readonly borders: MultiLineString;
  /** The positions of country names. */
  readonly lands: readonly Feature<Point, Land>[];
}

/** What is drawn of a world, whose countries go on beyond the ends of the map. */
export function outlinesOf(world: World): Outlines {
  const { features } = feature(world, world.objects.countries);
  const found = features.map(({ id, geometry, properties: { name } }) => ({
    name,
    number: id === undefined ? undefined : String(id),
    parts: partsOf(geometry).flatMap(cutPart),
  }));
  return {
    countries: { type: 'FeatureCollection', features: found.map(({ parts }) => area(parts)) },
    borders: {
      type: 'MultiLineString',
      coordinates: mesh(world, world.objects.countries).coordinates.flatMap(cutLine),
    },
    lands: found.flatMap(({ parts, ...land }) => landAt(parts, land)),
  };
}

function partsOf(geometry: Geometry): Part[] {
  if (geometry.type === 'Polygon') return [geometry.coordinates];
  return geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
}

/**
 * The parts of a part on the map. None that goes over both ends of the map has a hole: the coast of
 * Antarctica is given as one, since the pole is outside, but it encloses land as other rings do.
 */
const cutPart = (part: Part): Part[] =>
  part.some(crosses) ? part.flatMap(cutRing).map((ring) => [ring]) : [part];

const area = (parts: Part[]): Feature => ({
  type: 'Feature',
  geometry: { type: 'MultiPolygon', coordinates: parts },
  properties: null,
});

interface Extent {
  readonly part: Part;
  readonly width: number;
  readonly height: number;
}

/** In the largest part of a country. */
function landAt(parts: readonly Part[], land: Omit<Land, 'width'>): Feature<Point, Land>[] {
  const [largest] = parts.map(extentOf).sort((a, b) => b.width * b.height - a.width * a.height);
  const place = largest && labelPlace(largest.part);
  if (!place) return [];
  const { width } = largest;
  return [
    {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: place },
      properties: { ...land, width },
    },
  ];
}

function extentOf(part: Part): Extent {
  const [outer = []] = part;
  const [west, east] = ends(outer.map(([longitude = 0]) => longitude));
  const [south, north] = ends(outer.map(([, latitude = 0]) => latitude));
  return { part, width: east - west, height: north - south };
}

const ends = (values: readonly number[]): [number, number] => [
  Math.min(...values),
  Math.max(...values),
];
