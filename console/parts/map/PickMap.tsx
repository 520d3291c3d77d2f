import { useEffect } from 'preact/hooks';
import { ErrorNote } from '../../components/ErrorNote';
import { t } from '../../core/i18n';
import { Marker } from './engine';
import type { MapView } from './engine';
import { useMap } from './use-map';

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

interface PickMapProps {
  readonly place: Place | undefined;
  readonly onPick: (place: Place) => void;
}

const world = { latitude: 25, longitude: 20, zoom: 0.5 };
/** Close enough to see the country. */
const zoom = 4.5;

/** A map whose clicks choose a place. Loaded only when it is visible, because it loads MapLibre. */
export default function PickMap({ place, onPick }: PickMapProps) {
  const start = place ? { ...place, zoom } : world;
  const label = t('library.placeMap');
  const { map, problem, again, place: element } = useMap({ start, label, interactive: true });
  useEffect(() => {
    if (!map) return undefined;
    const pick = ({ lngLat }: { readonly lngLat: { lat: number; lng: number } }): void =>
      onPick({ latitude: lngLat.lat, longitude: lngLat.lng });
    map.on('click', pick);
    return () => void map.off('click', pick);
  }, [map]);
  usePin(map, place, onPick);
  if (problem !== undefined) return <ErrorNote problem={problem} onRetry={again} />;
  return <div ref={element} class="map-view" role="region" aria-label={label} />;
}

/** A pin that can be dragged. */
function usePin(
  map: MapView | undefined,
  place: Place | undefined,
  onPick: (place: Place) => void,
): void {
  useEffect(() => {
    if (!map || !place) return undefined;
    const pin = document.createElement('div');
    pin.className = 'map-pin';
    const marker = new Marker({ element: pin, draggable: true })
      .setLngLat([place.longitude, place.latitude])
      .addTo(map);
    marker.on('dragend', () => {
      const { lat: latitude, lng: longitude } = marker.getLngLat();
      onPick({ latitude, longitude });
    });
    return () => void marker.remove();
  }, [map, place?.latitude, place?.longitude]);
}
