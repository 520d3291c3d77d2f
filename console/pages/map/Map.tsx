import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ErrorNote } from '../../components/ErrorNote';
import { t } from '../../core/i18n';
import { go, hrefOf, narrow, path, query } from '../../core/router';
import { session } from '../../core/session';
import type { Session } from '../../core/session';
import { useRead } from '../../core/use-read';
import { useMap } from '../../parts/map/use-map';
import type { Camera } from '../../parts/map/use-map';
import { queryOf, viewOf } from '../library/view';
import type { View } from '../library/view';
import { circleOf, circleText, useCircle } from './circle';
import type { Circle } from './circle';
import { isWide, readClusters, readStart } from './clusters';
import { cameraIn, cameraText, moveTo, useFrame } from './frame';
import type { Place } from './frame';
import { Legend } from './Legend';
import { useBubbles, useHighlight } from './markers';
import { useKnown, useNearby } from './nearby';
import type { ImageRecord } from './nearby';
import { PlaceSearch } from './PlaceSearch';
import { SidePanel } from './SidePanel';
import { Tools } from './Tools';
import './map-page.css';

/** Where images are: those of the token's user, narrowed like a library, or those of a platform. */
export default function Map() {
  const current = session.value;
  const at = useMemo(() => cameraIn(query.peek()), []);
  const { data, problem, again } = useRead(
    async (signal) => current && (at ?? (await readStart(current, viewOf(query.peek()), signal))),
    [current],
  );
  return (
    <div class="map-page">
      <h1 class="unseen">{t('map.title')}</h1>
      {data && current ? (
        <Explorer session={current} start={data} />
      ) : (
        <div class="map-notes">
          <ErrorNote problem={problem} onRetry={again} />
        </div>
      )}
    </div>
  );
}

interface ExplorerProps {
  readonly session: Session;
  readonly start: Camera;
}

/** Zoom at which streets are told apart. */
const streets = 16;

/** The map over the whole page; its search, filters and list float over it. */
function Explorer({ session, start }: ExplorerProps) {
  const { userId } = session;
  const { map, problem, broken, again, place } = useMap({ start, label: t('map.label') });
  const [open, setOpen] = useState(isWide);
  const [lit, setLit] = useState<ImageRecord>();
  const panel = useRef<HTMLElement>(null);
  const { frame, camera, area } = useFrame(map, panel, open);
  const { view, circle, show } = useView(camera);
  const clusters = useRead(
    async (signal) => frame && readClusters(session, frame, view, signal),
    [session, frame, view],
  );
  const around = useMemo(() => frame && { frame, circle }, [circle ?? frame, circle, !frame]);
  const nearby = useNearby(userId, around, view);
  const { known, onUnknown } = useKnown(userId, nearby);
  const fly = (to: Place, zoom: number): void => {
    if (map && area) moveTo(map, area, to, zoom);
  };
  useBubbles({ map, session, view, known, onUnknown, fly });
  const draw = (next: Circle | undefined): void =>
    show({ ...view, circle: next ? circleText(next) : '' }, circle !== undefined && next);
  useCircle(map, circle, draw);
  // A row that has gone cannot say that the pointer has left it.
  const isListed = nearby.images.length === 0 || nearby.images.some(({ id }) => id === lit?.id);
  useHighlight(map, isListed ? lit : undefined);
  return (
    <>
      {userId !== undefined && (
        <PlaceSearch userId={userId} onChoose={(found) => fly(found, streets)} />
      )}
      <Tools
        view={view}
        onShow={(next) => show(next)}
        frame={frame}
        circle={circle}
        onCircle={draw}
        link={location.origin + hrefOf(urlOf(view, camera))}
      />
      <div class="map-notes">
        <ErrorNote
          problem={problem ?? broken ?? clusters.problem}
          onRetry={() => {
            again();
            clusters.again();
          }}
        />
      </div>
      <SidePanel
        panel={panel}
        open={open}
        onOpen={setOpen}
        circle={circle}
        clusters={clusters.data}
        nearby={userId === undefined ? undefined : nearby}
        onLight={setLit}
        fly={(to, closer) => map && fly(to, closer ? map.getZoom() + closer : streets)}
      />
      <div ref={place} class="map-view" role="region" aria-label={t('map.label')} />
      <Legend zoom={frame?.zoom} />
    </>
  );
}

/** The URL of a map: whoever opens a copied one sees the same. */
function urlOf(view: View, camera: Camera | undefined): string {
  const words = queryOf({ ...view, trash: false });
  return `/map${words}${camera ? `${words ? '&' : '?'}at=${cameraText(camera)}` : ''}`;
}

/** What the URL narrows the map to; a step for each change of it, and none for moves of the map. */
function useView(camera: Camera | undefined) {
  const words = queryOf({ ...viewOf(query.value), trash: false });
  const view = useMemo(() => viewOf(words), [words]);
  const circle = useMemo(() => circleOf(view.circle), [view.circle]);
  useEffect(() => {
    // Not once the reader is on the way to another page.
    if (camera && path.peek() === '/map') go(urlOf(view, camera), { replace: true });
  }, [camera]);
  const show = (next: View, adjusts: unknown = false): void => {
    if (adjusts) go(urlOf(next, camera), { replace: true });
    else narrow(urlOf(next, camera));
  };
  return { view, circle, show };
}
