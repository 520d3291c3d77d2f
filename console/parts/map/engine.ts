import { setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import 'maplibre-gl/dist/maplibre-gl.css';
import './map.css';

// Its worker is a file of the console: the policy of the page forbids workers from blob URLs.
setWorkerUrl(new URL(workerUrl, location.href).href);

export {
  addProtocol,
  LngLat,
  Map as MapView,
  Marker,
  NavigationControl,
  ScaleControl,
} from 'maplibre-gl';
export type { GeoJSONSource, SourceSpecification, StyleSpecification } from 'maplibre-gl';
