import { useEffect } from 'preact/hooks';
import { coneElement } from '../../parts/map/cone';
import { Marker } from '../../parts/map/engine';
import type { MapView } from '../../parts/map/engine';
import { thumbElement } from './bubble-element';
import type { ImageRecord } from './filters';

/** Shows one image above all others, exactly where it was taken. */
export function useHighlight(map: MapView | undefined, image: ImageRecord | undefined): void {
  useEffect(() => {
    if (!map || !image || image.lat === null || image.lng === null) return undefined;
    const element = document.createElement('div');
    element.className = 'map-lit';
    element.ariaHidden = 'true';
    element.dataset.image = image.id;
    if (image.direction !== null) element.append(coneElement(image.direction));
    element.append(thumbElement(image.thumb_url));
    const marker = new Marker({ element }).setLngLat([image.lng, image.lat]).addTo(map);
    return () => void marker.remove();
  }, [map, image]);
}
