import { useEffect } from 'preact/hooks';
import { ErrorNote } from '../../components/ErrorNote';
import { t } from '../../core/i18n';
import { Marker } from './engine';
import { useMap } from './use-map';

interface PlaceMapProps {
  readonly latitude: number;
  readonly longitude: number;
}

/** Outlines of countries are all there is to see by default: closer, there is nothing to see. */
const zoom = 4.5;

/** One place on a small map that does not move. To be loaded when it is seen: it brings MapLibre. */
export default function PlaceMap({ latitude, longitude }: PlaceMapProps) {
  const label = t('map.place', { latitude: latitude.toFixed(5), longitude: longitude.toFixed(5) });
  const start = { latitude, longitude, zoom };
  const { map, problem, again, place } = useMap({ start, label, interactive: false });
  useEffect(() => {
    if (!map) return undefined;
    const pin = document.createElement('div');
    pin.className = 'map-pin';
    const marker = new Marker({ element: pin }).setLngLat([longitude, latitude]).addTo(map);
    map.jumpTo({ center: [longitude, latitude] });
    return () => void marker.remove();
  }, [map, latitude, longitude]);
  if (problem !== undefined) return <ErrorNote problem={problem} onRetry={again} />;
  return <div ref={place} class="map-view place-map" role="img" aria-label={label} />;
}
