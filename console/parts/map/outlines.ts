import type { Feature, FeatureCollection, Geometry, MultiPolygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import url from 'world-atlas/countries-50m.json?url';
import { problemOf } from '../../core/problem';
import { unanswered } from '../../core/reach';

// The base map included with the console: countries of Natural Earth, which is in the public domain.

type World = Topology<{ countries: GeometryCollection<{ name: string }> }>;

export interface Outlines {
  readonly countries: FeatureCollection;
  /** The positions of country names, with the width of the land there, in degrees. */
  readonly names: FeatureCollection;
}

let reading: Promise<Outlines> | undefined;

/** Read once, when the first map is drawn. */
export function readOutlines(): Promise<Outlines> {
  reading ??= read().catch((problem: unknown) => {
    reading = undefined;
    throw problem;
  });
  return reading;
}

async function read(): Promise<Outlines> {
  const answer = await fetch(url).catch(() => {
    throw unanswered();
  });
  if (!answer.ok) throw problemOf(answer.status, undefined);
  const world = (await answer.json()) as World;
  const countries = feature(world, world.objects.countries);
  const names = countries.features.map(({ geometry, properties }) =>
    nameAt(geometry, properties.name),
  );
  return { countries, names: { type: 'FeatureCollection', features: names.flat() } };
}

interface Extent {
  readonly middle: Position;
  readonly width: number;
  readonly height: number;
}

/** In the middle of the largest part of a country. */
function nameAt(geometry: Geometry, name: string): Feature[] {
  if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return [];
  const parts: MultiPolygon['coordinates'] =
    geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const [largest] = parts
    .map(([outer = []]) => extentOf(outer))
    .sort((a, b) => b.width * b.height - a.width * a.height);
  if (!largest) return [];
  const { middle, width } = largest;
  const point: Geometry = { type: 'Point', coordinates: middle };
  return [{ type: 'Feature', geometry: point, properties: { name, width } }];
}

function extentOf(ring: readonly Position[]): Extent {
  const [west, east] = ends(ring.map(([longitude = 0]) => longitude));
  const [south, north] = ends(ring.map(([, latitude = 0]) => latitude));
  return {
    middle: [(west + east) / 2, (south + north) / 2],
    width: east - west,
    height: north - south,
  };
}

const ends = (values: readonly number[]): [number, number] => [
  Math.min(...values),
  Math.max(...values),
];
