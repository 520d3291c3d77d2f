import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../components/Button';
import { ErrorNote } from '../../components/ErrorNote';
import { day, time } from '../../core/amounts';
import { number, t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import type { Circle } from './circle';
import { countOf, isExact } from './clusters';
import type { Cluster } from './clusters';
import { pictureAt } from './markers';
import type { ImageRecord, Reading } from './nearby';
import type { Place } from './frame';

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

const coordinatesText = (latitude: number, longitude: number): string =>
  [latitude, longitude].map((degrees) => number(degrees, 5)).join(', ');

interface ClustersProps {
  readonly clusters: readonly Cluster[];
  readonly onZoom: (place: Place) => void;
}

/** Where a platform's images are: its token may not show the images themselves. */
const ClustersInView = ({ clusters, onZoom }: ClustersProps) => (
  <div class="map-list">
    <ul aria-label={t('map.places')}>
      {clusters
        .toSorted((a, b) => b.properties.count - a.properties.count)
        .map(({ geometry, properties: { image_id: id, count, latest_created_at: newest } }) => {
          const [longitude = 0, latitude = 0] = geometry.coordinates;
          return (
            <li key={id} class="map-item">
              <button type="button" class="map-row" onClick={() => onZoom({ latitude, longitude })}>
                <span class="map-row-text">
                  <span class="map-row-time">{coordinatesText(latitude, longitude)}</span>
                  <span>{t('map.counted', { count, day: day(newest) })}</span>
                </span>
              </button>
            </li>
          );
        })}
    </ul>
  </div>
);

interface ImagesProps {
  readonly nearby: Reading;
  /** The reader points at an image, or no longer at any. */
  readonly onLight: (image: ImageRecord | undefined) => void;
  readonly onFind: (place: Place) => void;
}

/** A user's images in the view or circle, nearest to its middle first. */
function ImagesInView({ nearby, onLight, onFind }: ImagesProps) {
  const { images, finished, next, problem, more } = nearby;
  const isReading = !finished && problem === undefined;
  useEffect(() => () => onLight(undefined), []);
  return (
    <div class="map-list">
      <ErrorNote problem={problem} onRetry={more} />
      {finished && images.length === 0 && <p class="hint">{t('map.noneHint')}</p>}
      <ul aria-label={t('map.list')}>
        {images.map((image) => (
          <Item key={image.id} image={image} onLight={onLight} onFind={onFind} />
        ))}
      </ul>
      {isReading && next === null && (
        <div aria-hidden="true">
          {[0, 1, 2].map((row) => (
            <div key={row} class="map-waiting" />
          ))}
        </div>
      )}
      {isReading && next !== null && <End key={next} onSeen={more} />}
    </div>
  );
}

function Item({
  image,
  onLight,
  onFind,
}: Omit<ImagesProps, 'nearby'> & { readonly image: ImageRecord }) {
  const { id, lat, lng, taken_at: taken, created_at: created } = image;
  if (lat === null || lng === null) return null;
  // A road address before a land-lot one; and what it does not say.
  const place = image.address_road ?? image.address_land ?? coordinatesText(lat, lng);
  const inside = [image.building_name, image.address_det].filter(Boolean).join(', ');
  return (
    <li
      class="map-item"
      onPointerEnter={() => onLight(image)}
      onPointerLeave={() => onLight(undefined)}
      onFocusIn={() => onLight(image)}
      onFocusOut={() => onLight(undefined)}
    >
      <a class="map-row" href={hrefOf(pictureAt(id))}>
        <img src={image.thumb_url} alt="" loading="lazy" width={56} height={56} />
        <span class="map-row-text">
          <span class="map-row-time">{time(taken ?? created)}</span>
          <span title={place}>{place}</span>
          {inside && <span title={inside}>{inside}</span>}
        </span>
      </a>
      <Button
        variant="quiet"
        icon="target"
        iconOnly
        onClick={() => onFind({ latitude: lat, longitude: lng })}
      >
        {t('map.showPlace')}
      </Button>
    </li>
  );
}

/** Stands for the images that follow, which are read when it is seen. */
function End({ onSeen }: { readonly onSeen: () => void }) {
  const node = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen();
    });
    if (node.current) observer.observe(node.current);
    return () => observer.disconnect();
  }, []);
  return <div ref={node} class="map-waiting" aria-hidden="true" />;
}
