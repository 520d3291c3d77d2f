import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ErrorNote } from '../../components/ErrorNote';
import { t } from '../../core/i18n';
import { go, hrefOf, path, query } from '../../core/router';
import type { Session } from '../../core/session';
import { useRead } from '../../core/use-read';
import { useMap } from '../../parts/map/use-map';
import { readClusters } from './clusters';
import type { ImageRecord } from './filters';
import { Legend } from './Legend';
import { PlaceSearch } from './PlaceSearch';
import { queryOf, shownIn } from './shown';
import { SidePanel } from './SidePanel';
import { isWide } from './start';
import type { Start } from './start';
import { Tools } from './Tools';
import { useBubbles } from './use-bubbles';
import { useCircle } from './use-circle';
import { useHighlight } from './use-highlight';
import { useKnown } from './use-known';
import { useNearby } from './use-nearby';
import { useView } from './use-view';
import { moveTo } from './view';
import type { Place } from './view';

interface ExplorerProps {
  readonly session: Session;
  readonly start: Start;
}

/** Zoom at which streets are told apart. */
const streets = 16;

/** The map over the whole page; its search, filters and list float over it. */
export function Explorer({ session, start }: ExplorerProps) {
  const { userId } = session;
  const first = useMemo(() => shownIn(query.peek()), []);
  const { map, problem, broken, again, place } = useMap({
    start: first.camera ?? start.camera,
    label: t('map.label'),
    interactive: true,
  });
  const [filters, setFilters] = useState(first.filters);
  const [circle, setCircle] = useState(first.circle);
  const [open, setOpen] = useState(isWide);
  const [lit, setLit] = useState<ImageRecord>();
  const panel = useRef<HTMLElement>(null);
  const { view, camera, area } = useView(map, panel, open);
  const clusters = useRead(
    async (signal) => view && readClusters(session, view, filters, signal),
    [session, view, filters],
  );
  const around = useMemo(() => view && { view, circle }, [circle ?? view, circle]);
  const nearby = useNearby(userId, around, filters);
  const { known, onUnknown } = useKnown(userId, nearby);
  const fly = (to: Place, zoom: number): void => {
    if (map && area) moveTo(map, area, to, zoom);
  };
  useBubbles({ map, session, filters, known, onUnknown, fly });
  useCircle(map, circle, setCircle);
  // A row that has gone cannot say that the pointer has left it.
  const isListed = nearby.images.length === 0 || nearby.images.some(({ id }) => id === lit?.id);
  useHighlight(map, isListed ? lit : undefined);
  const words = queryOf({ camera, filters, circle });
  useEffect(() => {
    // Not once the reader is on the way to another page.
    if (camera && path.peek() === '/map') go(`/map${words}`, { replace: true });
  }, [words]);
  return (
    <>
      {userId !== undefined && (
        <PlaceSearch userId={userId} onChoose={(found) => fly(found, streets)} />
      )}
      <Tools
        start={start}
        view={view}
        filters={filters}
        onFilters={setFilters}
        // Circles select from lists, which are of one user.
        {...(userId !== undefined && { onCircle: setCircle })}
        circle={circle}
        link={location.origin + hrefOf(`/map${words}`)}
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
      <Legend zoom={view?.zoom} />
    </>
  );
}
