import { day } from '../../core/amounts';
import { t } from '../../core/i18n';
import { coordinatesText } from './address';
import type { Cluster } from './clusters';
import type { Place } from './view';

interface ClustersProps {
  readonly clusters: readonly Cluster[];
  readonly onZoom: (place: Place) => void;
}

/** Where a platform's images are: its token may not show the images themselves. */
export function ClustersInView({ clusters, onZoom }: ClustersProps) {
  return (
    <div class="map-list">
      <ul aria-label={t('map.places')}>
        {clusters
          .toSorted((a, b) => b.properties.count - a.properties.count)
          .map(({ geometry, properties: { image_id: id, count, latest_created_at: newest } }) => {
            const [longitude = 0, latitude = 0] = geometry.coordinates;
            return (
              <li key={id} class="map-item">
                <button
                  type="button"
                  class="map-row"
                  onClick={() => onZoom({ latitude, longitude })}
                >
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
}
