import type { FeatureCollection } from 'geojson';
import { baseStyle } from '../parts/map/base-map';
import { MapView, NavigationControl } from '../parts/map/engine';
import type { GeoJSONSource } from '../parts/map/engine';
import { colorOf } from '../core/theme';
import type { Pictures } from './pictures';
import { words } from './words';

/** Pictures that a map shows at most. */
const most = 5_000;

interface Mapped {
  readonly pictures: Pictures;
  readonly load: () => Promise<boolean>;
  readonly open: (id: string) => void;
}

function pointsOf({ all }: Pictures): FeatureCollection {
  const features = all.flatMap(({ id, place }) => {
    const { latitude = null, longitude = null } = place ?? {};
    if (latitude === null || longitude === null) return [];
    const geometry = { type: 'Point' as const, coordinates: [longitude, latitude] };
    return [{ type: 'Feature' as const, geometry, properties: { id } }];
  });
  return { type: 'FeatureCollection', features };
}

/** Draws all pictures of a link that have a place. */
export async function drawMap(place: HTMLElement, mapped: Mapped): Promise<void> {
  const { pictures, load, open } = mapped;
  place.ariaBusy = 'true';
  while (pictures.all.length < most && (await load()));
  const data = pointsOf(pictures);
  const map = new MapView({
    container: place,
    style: await baseStyle(place),
    center: [127.8, 36.3],
    zoom: 3,
    attributionControl: { compact: true },
    maxPitch: 0,
    dragRotate: false,
    renderWorldCopies: false,
    locale: { 'Map.Title': words.mapLabel },
  });
  map.addControl(new NavigationControl({ showCompass: false }));
  map.once('load', () => {
    addPoints(map, data);
    frame(map, data);
  });
  map.once('idle', () => (place.ariaBusy = 'false'));
  map.on('click', 'pictures', ({ features }) => {
    const id: unknown = features?.[0]?.properties.id;
    if (typeof id === 'string') open(id);
  });
  map.on('click', 'clusters', ({ features, lngLat }) => {
    const id: unknown = features?.[0]?.properties.cluster_id;
    const source = map.getSource<GeoJSONSource>('pictures');
    if (typeof id !== 'number' || !source) return;
    void source.getClusterExpansionZoom(id).then((zoom) => map.easeTo({ center: lngLat, zoom }));
  });
}

function addPoints(map: MapView, data: FeatureCollection): void {
  const [accent, onAccent] = [colorOf('--accent'), colorOf('--on-accent')];
  map.addSource('pictures', { type: 'geojson', data, cluster: true, clusterRadius: 44 });
  const circle = { 'circle-color': accent, 'circle-stroke-color': onAccent };
  map.addLayer({
    id: 'clusters',
    type: 'circle',
    source: 'pictures',
    filter: ['has', 'point_count'],
    paint: { ...circle, 'circle-radius': 16, 'circle-stroke-width': 2 },
  });
  map.addLayer({
    id: 'counts',
    type: 'symbol',
    source: 'pictures',
    filter: ['has', 'point_count'],
    layout: {
      'text-field': ['get', 'point_count_abbreviated'],
      'text-font': ['sans-serif'],
      'text-size': 12,
    },
    paint: { 'text-color': onAccent },
  });
  map.addLayer({
    id: 'pictures',
    type: 'circle',
    source: 'pictures',
    filter: ['!', ['has', 'point_count']],
    paint: { ...circle, 'circle-radius': 8, 'circle-stroke-width': 3 },
  });
}

/** Shows all points. */
function frame(map: MapView, { features }: FeatureCollection): void {
  const points = features.flatMap(({ geometry }) =>
    geometry.type === 'Point' ? [geometry.coordinates] : [],
  );
  const ends = (i: number): [number, number] => {
    const values = points.map((point) => point[i] ?? 0);
    return [Math.min(...values), Math.max(...values)];
  };
  if (points.length === 0) return;
  const [[west, east], [south, north]] = [ends(0), ends(1)];
  map.fitBounds([west, south, east, north], { padding: 40, maxZoom: 12, animate: false });
}
