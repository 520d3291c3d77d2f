import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { language, t } from '../../core/i18n';
import { Problem } from '../../core/problem';
import { session } from '../../core/session';
import { isDark } from '../../core/theme';
import { useWaiting } from '../../core/waiting';
import { baseStyle } from './base-map';
import { MapView, NavigationControl, ScaleControl } from './engine';
import { watchTiles } from './watch-tiles';
import type { WatchedTiles } from './watch-tiles';

export interface Camera {
  readonly latitude: number;
  readonly longitude: number;
  readonly zoom: number;
}

interface MapOptions {
  readonly start: Camera;
  /** What screen readers call it. */
  readonly label: string;
}

interface Drawn {
  /** Undefined until its style is loaded. */
  readonly map: MapView | undefined;
  /** Why there is no map. */
  readonly problem: unknown;
  /** Why tiles of it are missing. */
  readonly broken: unknown;
  /** Retries what went wrong. */
  readonly again: () => void;
  readonly place: RefObject<HTMLDivElement | null>;
}

export const cameraOf = (map: MapView): Camera => {
  const { lat: latitude, lng: longitude } = map.getCenter();
  return { latitude, longitude, zoom: map.getZoom() };
};

/** Adds the token to requests for tiles, which like all others go only to this server. */
function authorized(url: string): { url: string; headers?: Record<string, string> } {
  const current = session.value;
  if (!current || !url.startsWith(`${location.origin}/api/`)) return { url };
  const scheme = current.scope === 'user' ? 'User' : 'Platform';
  return { url, headers: { Authorization: `${scheme} ${current.token}` } };
}

/** A failed request describes itself; any other failure means that WebGL is missing. */
const whyNone = (cause: unknown): Error =>
  cause instanceof Problem
    ? cause
    : new Error(`${t('map.noWebGl')} ${cause instanceof Error ? cause.message : ''}`.trim());

/** A map in an element; it is redrawn with the same camera when the theme changes. */
export function useMap({ start, label }: MapOptions): Drawn {
  const place = useRef<HTMLDivElement>(null);
  const camera = useRef(start);
  const [map, setMap] = useState<MapView>();
  const [problem, setProblem] = useState<unknown>();
  const [broken, setBroken] = useState<unknown>();
  const [turn, setTurn] = useState(0);
  useWaiting(map === undefined && problem === undefined);
  const tiles = useRef<WatchedTiles>(null);
  const dark = isDark();
  // The map goes together with its element: after an effect that waits for the next frame, it would
  // first see the element shrink to nothing, and report that as a move.
  useLayoutEffect(() => {
    const stop = new AbortController();
    let drawn: MapView | undefined;
    const container = place.current;
    if (!container) return undefined;
    void baseStyle(container)
      .then((style) => {
        if (stop.signal.aborted) return;
        const { latitude, longitude, zoom } = camera.current;
        // Until the visible area has been drawn.
        container.ariaBusy = 'true';
        drawn = new MapView({
          container,
          style,
          center: [longitude, latitude],
          zoom,
          attributionControl: { compact: true },
          maxPitch: 0,
          dragRotate: false,
          // A single copy of the world, so that images are counted once.
          renderWorldCopies: false,
          transformRequest: authorized,
          locale: {
            'Map.Title': label,
            'NavigationControl.ZoomIn': t('map.zoomIn'),
            'NavigationControl.ZoomOut': t('map.zoomOut'),
          },
        });
        tiles.current = watchTiles(drawn, setBroken);
        drawn.touchZoomRotate.disableRotation();
        drawn.addControl(new NavigationControl({ showCompass: false }));
        drawn.addControl(new ScaleControl(), 'bottom-right');
        drawn.once('idle', () => (container.ariaBusy = 'false'));
        drawn.once('load', () => stop.signal.aborted || setMap(drawn));
      })
      .catch((cause: unknown) => stop.signal.aborted || setProblem(whyNone(cause)));
    return () => {
      stop.abort();
      if (drawn) camera.current = cameraOf(drawn);
      tiles.current?.stop();
      drawn?.remove();
      setMap(undefined);
    };
  }, [dark, language.value, turn]);
  const again = (): void => {
    if (problem === undefined) return tiles.current?.again();
    setProblem(undefined);
    setTurn(turn + 1);
  };
  return { map, problem, broken, again, place };
}
