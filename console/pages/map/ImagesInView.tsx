import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../components/Button';
import { ErrorNote } from '../../components/ErrorNote';
import { time } from '../../core/amounts';
import { t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import { addressOf, coordinatesText, withinAddress } from './address';
import { pictureAt } from './bubble-element';
import type { ImageRecord } from './filters';
import type { Reading } from './use-nearby';
import type { Place } from './view';

interface ImagesProps {
  readonly nearby: Reading;
  /** The reader points at an image, or no longer at any. */
  readonly onLight: (image: ImageRecord | undefined) => void;
  readonly onFind: (place: Place) => void;
}

/** A user's images in the view or circle, nearest to its middle first. */
export function ImagesInView({ nearby, onLight, onFind }: ImagesProps) {
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
      {isReading && next === null && <Waiting />}
      {isReading && next !== null && <End key={next} onSeen={more} />}
    </div>
  );
}

interface ItemProps extends Omit<ImagesProps, 'nearby'> {
  readonly image: ImageRecord;
}

function Item({ image, onLight, onFind }: ItemProps) {
  const { id, lat, lng, taken_at: taken, created_at: created } = image;
  if (lat === null || lng === null) return null;
  const place = addressOf(image) ?? coordinatesText(lat, lng);
  const inside = withinAddress(image);
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

/** Rows that are asked for. */
const Waiting = () => (
  <div aria-hidden="true">
    {[0, 1, 2].map((row) => (
      <div key={row} class="map-waiting" />
    ))}
  </div>
);

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
