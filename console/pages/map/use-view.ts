import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MapView } from '../../parts/map/engine';
import { cameraOf } from '../../parts/map/use-map';
import type { Camera } from '../../parts/map/use-map';
import { freeArea, moveTo, viewOf } from './view';
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
  const before = useRef<{ readonly isOpen: boolean; readonly view: View }>(null);
  useEffect(() => {
    if (!map) return undefined;
    const update = (): void => {
      const area = freeArea(map, panel.current, isOpen);
      const view = viewOf(map, area);
      before.current = { isOpen, view };
      setSeen({ view, camera: cameraOf(map), area });
    };
    map.on('moveend', update);
    const last = before.current;
    update();
    // What was in the middle stays there when the panel takes or leaves its place.
    if (last && last.isOpen !== isOpen) {
      moveTo(map, freeArea(map, panel.current, isOpen), last.view, map.getZoom());
    }
    return () => void map.off('moveend', update);
  }, [map, isOpen]);
  return seen ?? {};
}
