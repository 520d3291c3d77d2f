import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { MapView } from '../../parts/map/engine';
import { cameraOf } from '../../parts/map/use-map';
import type { Camera } from '../../parts/map/use-map';
import { freeArea, viewOf } from './view';
import type { Area, View } from './view';

interface Seen {
  readonly view: View;
  readonly camera: Camera;
  readonly area: Area;
}

/** What a panel over the map leaves visible, read again when the map has moved. */
export function useView(
  map: MapView | undefined,
  panel: RefObject<HTMLElement | null>,
  isOpen: boolean,
): Partial<Seen> {
  const [seen, setSeen] = useState<Seen>();
  useEffect(() => {
    if (!map) return undefined;
    const update = (): void => {
      const area = freeArea(map, panel.current, isOpen);
      setSeen({ view: viewOf(map, area), camera: cameraOf(map), area });
    };
    map.on('moveend', update);
    update();
    return () => void map.off('moveend', update);
  }, [map, isOpen]);
  return seen ?? {};
}
