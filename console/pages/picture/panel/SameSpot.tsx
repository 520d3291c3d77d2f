import { day } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import { useRead } from '../../../core/use-read';
import type { Access } from '../../library/access';
import { Thumb } from '../../library/grid/Thumb';
import { readSameSpot } from '../record';
import type { Image } from '../record';
import { momentOf } from '../stage/shot';

interface SameSpotProps {
  readonly access: Access;
  readonly image: Image;
  /** Compares the picture with one of the others. */
  readonly onCompare: (others: readonly Image[], id: string) => void;
}

const doNothing = (): void => undefined;

/** Other pictures of the same spot that look the same way, as before and after it. */
export function SameSpot({ access, image, onCompare }: SameSpotProps) {
  const { id, lat, lng, direction } = image;
  const { data: others = [] } = useRead(
    async (signal) => {
      if (lat === null || lng === null) return [];
      const found = await readSameSpot(
        access,
        { latitude: lat, longitude: lng, direction },
        signal,
      );
      return found.filter((other) => other.id !== id);
    },
    [access, id, lat, lng, direction],
  );
  if (others.length === 0) return null;
  const sorted = others.toSorted((a, b) => (momentOf(a) < momentOf(b) ? -1 : 1));
  return (
    <section class="part" aria-labelledby="same-spot">
      <h2 id="same-spot">{direction === null ? t('picture.nearby') : t('picture.sameSpot')}</h2>
      <ul class="same-spot">
        {sorted.map((other) => (
          <li key={other.id}>
            <button
              type="button"
              aria-label={t('picture.compareWith', { day: day(momentOf(other)) })}
              onClick={() => onCompare(sorted, other.id)}
            >
              <Thumb image={other} onError={doNothing} />
              <span>{day(momentOf(other))}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
