import { useEffect, useMemo, useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { ErrorNote } from '../../components/ErrorNote';
import { Field } from '../../components/Field';
import { t } from '../../core/i18n';
import { go, query } from '../../core/router';
import type { Session } from '../../core/session';
import { useRead } from '../../core/use-read';
import type { MapView } from '../../parts/map/engine';
import { cameraOf, useMap } from '../../parts/map/use-map';
import type { Circle } from './circle';
import { countOf, isExact, readClusters } from './clusters';
import type { Cluster } from './clusters';
import { ClustersInView, ImagesInView } from './InView';
import type { Start } from './start';
import { showTiles } from './tiles';
import type { Period } from './tiles';
import { TimeSlider } from './TimeSlider';
import { useBubbles } from './use-bubbles';
import { fittingRadius, useCircle } from './use-circle';
import { useNearby } from './use-nearby';
import { cameraIn, queryOf, viewOf } from './view';
import type { View } from './view';

interface ExplorerProps {
  readonly session: Session;
  readonly start: Start;
}

const always: Period = { from: undefined, to: undefined };

/** The map with its controls and lists. */
export function Explorer({ session, start }: ExplorerProps) {
  const { userId } = session;
  const camera = cameraIn(query.peek()) ?? start.camera;
  const { map, problem, broken, again, place } = useMap({
    start: camera,
    label: t('map.label'),
    interactive: true,
  });
  const [period, setPeriod] = useState(always);
  const [circle, setCircle] = useState<Circle>();
  const view = useView(map, session, period);
  const clusters = useRead(
    async (signal) => view && readClusters(session, view, period, signal),
    [session, view, period],
  );
  const area = useMemo(() => view && { view, circle }, [circle ?? view, circle]);
  const nearby = useNearby(userId, area, period);
  const thumbnails = useMemo(
    () => new Map(nearby.images.map(({ id, thumb_url: url }) => [id, url])),
    [nearby.images],
  );
  useBubbles({ map, thumbnails });
  useCircle(map, circle, setCircle);
  const found = clusters.data;
  const zoomTo = ({ geometry: { coordinates } }: Cluster): void => {
    const [longitude = 0, latitude = 0] = coordinates;
    map?.easeTo({ center: [longitude, latitude], zoom: map.getZoom() + 2 });
  };
  const retry = (): void => {
    again();
    clusters.again();
  };
  return (
    <div class="map-page">
      <div class="map-tools">
        <TimeSlider first={start.first} last={start.last} period={period} onChange={setPeriod} />
        {userId !== undefined && (
          <CircleTools circle={circle} onCircle={setCircle} begin={() => map && circleIn(map)} />
        )}
      </div>
      <ErrorNote problem={problem ?? broken ?? clusters.problem} onRetry={retry} />
      <div ref={place} class="map-view" role="region" aria-label={t('map.label')} />
      <aside class="map-side" aria-label={t('map.places')}>
        <p role="status">{circle ? inCircle(nearby.total) : found && inView(found)}</p>
        {userId === undefined ? (
          <ClustersInView clusters={found ?? []} onZoom={zoomTo} />
        ) : (
          <ImagesInView nearby={nearby} count={countOf(found ?? [])} />
        )}
      </aside>
    </div>
  );
}

const inCircle = (count: number | undefined): string =>
  count === undefined ? '' : t('map.inCircle', { count });

function inView(clusters: readonly Cluster[]): string {
  const count = countOf(clusters);
  if (count === 0) return t('map.none');
  return isExact(clusters) ? t('map.inView', { count }) : t('map.inViewAtLeast', { count });
}

/** The visible area, updated when the map stops moving. */
function useView(map: MapView | undefined, session: Session, period: Period) {
  const [view, setView] = useState<View>();
  useEffect(() => {
    if (!map) return undefined;
    const update = (): void => {
      setView(viewOf(map));
      go(`/map${queryOf(cameraOf(map))}`, { replace: true });
    };
    map.on('moveend', update);
    setView(viewOf(map));
    return () => void map.off('moveend', update);
  }, [map]);
  useEffect(() => {
    if (map) showTiles(map, session, period);
  }, [map, period]);
  return view;
}

/** A circle in the middle of the visible area, with a quarter of its smaller side as radius. */
function circleIn(map: MapView): Circle {
  const { latitude, longitude } = cameraOf(map);
  const { x, y } = map.project([longitude, latitude]);
  const reach = Math.min(map.getCanvas().clientWidth, map.getCanvas().clientHeight) / 4;
  const radius = map.getCenter().distanceTo(map.unproject([x + reach, y]));
  return { latitude, longitude, radius: fittingRadius(radius) };
}

interface CircleToolsProps {
  readonly circle: Circle | undefined;
  readonly onCircle: (circle: Circle | undefined) => void;
  readonly begin: () => Circle | undefined;
}

function CircleTools({ circle, onCircle, begin }: CircleToolsProps) {
  if (!circle) return <Button onClick={() => onCircle(begin())}>{t('map.circle')}</Button>;
  return (
    <div class="circle-tools">
      <Field
        type="number"
        label={t('map.radius')}
        value={String(circle.radius)}
        onInput={(text) => {
          const radius = Number(text);
          if (radius > 0) onCircle({ ...circle, radius: fittingRadius(radius) });
        }}
      />
      <Button onClick={() => onCircle(undefined)}>{t('map.noCircle')}</Button>
    </div>
  );
}
