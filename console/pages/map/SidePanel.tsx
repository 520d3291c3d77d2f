import type { RefObject } from 'preact';
import { Button } from '../../components/Button';
import { t } from '../../core/i18n';
import type { Circle } from './circle';
import { countOf, isExact } from './clusters';
import type { Cluster } from './clusters';
import { ClustersInView } from './ClustersInView';
import type { ImageRecord } from './filters';
import { ImagesInView } from './ImagesInView';
import type { Reading } from './use-nearby';
import type { Place } from './view';

interface SidePanelProps {
  readonly panel: RefObject<HTMLElement | null>;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly circle: Circle | undefined;
  /** Undefined until they have been read. */
  readonly clusters: readonly Cluster[] | undefined;
  /** The images themselves, which a platform's token may not show. */
  readonly nearby: Reading | undefined;
  readonly onLight: (image: ImageRecord | undefined) => void;
  /** Moves the map to a place: to its streets, or closer by some steps. */
  readonly fly: (to: Place, closer?: number) => void;
}

/** What is in view: beside the map, or a sheet below it on narrow screens. */
export function SidePanel(props: SidePanelProps) {
  const { panel, open, onOpen, circle, clusters, nearby, onLight, fly } = props;
  return (
    <section
      ref={panel}
      class={open ? 'map-side map-panel open' : 'map-side map-panel'}
      aria-label={t('map.places')}
    >
      <header class="map-side-head">
        <p role="status">{circle ? inCircle(nearby?.total) : clusters && inView(clusters)}</p>
        <Button
          variant="quiet"
          icon="chevron"
          iconOnly
          expanded={open}
          onClick={() => onOpen(!open)}
        >
          {t('map.list')}
        </Button>
      </header>
      {open && nearby && <ImagesInView nearby={nearby} onLight={onLight} onFind={fly} />}
      {open && !nearby && (
        <ClustersInView clusters={clusters ?? []} onZoom={(place) => fly(place, 2)} />
      )}
    </section>
  );
}

const inCircle = (count: number | undefined): string =>
  count === undefined ? '' : t('map.inCircle', { count });

function inView(clusters: readonly Cluster[]): string {
  const count = countOf(clusters);
  if (count === 0) return t('map.none');
  return isExact(clusters) ? t('map.inView', { count }) : t('map.inViewAtLeast', { count });
}
