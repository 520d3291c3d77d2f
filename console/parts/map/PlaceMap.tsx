import { useEffect } from 'preact/hooks';
import { ErrorNote } from '../../components/ErrorNote';
import { t } from '../../core/i18n';
import { Marker } from './engine';
import { useMap } from './use-map';

interface PlaceMapProps {
  readonly latitude: number;
  readonly longitude: number;
}

/** The default base map has only outlines of countries: closer, it would be empty. */
const zoom = 4.5;

/** One place on a small static map. Loaded only when it is visible, because it loads MapLibre. */
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
