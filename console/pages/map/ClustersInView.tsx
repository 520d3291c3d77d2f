import { Button } from '../../components/Button';
import { Table } from '../../components/Table';
import { day } from '../../core/amounts';
import { number, t } from '../../core/i18n';
import type { Cluster } from './clusters';
import type { Place } from './view';

interface ClustersProps {
  readonly clusters: readonly Cluster[];
  readonly onZoom: (place: Place) => void;
}

/** Where a platform's images are: its token may not show the images themselves. */
export function ClustersInView({ clusters, onZoom }: ClustersProps) {
  return (
    <Table
      label={t('map.places')}
      rows={clusters.toSorted((a, b) => b.properties.count - a.properties.count)}
      keyOf={({ properties }) => properties.image_id}
      columns={[
        {
          title: t('map.places'),
          share: 3,
          cell: (cluster: Cluster) => (
            <Button variant="quiet" onClick={() => onZoom(placeOf(cluster))}>
              {shortText(placeOf(cluster))}
            </Button>
          ),
        },
        {
          title: t('map.images'),
          numeric: true,
          cell: ({ properties }: Cluster) => number(properties.count),
        },
        {
          title: t('map.newest'),
          share: 2,
          cell: ({ properties }: Cluster) => day(properties.latest_created_at),
        },
      ]}
    />
  );
}

const placeOf = ({ geometry: { coordinates } }: Cluster): Place => {
  const [longitude = 0, latitude = 0] = coordinates;
  return { latitude, longitude };
};

const shortText = ({ latitude, longitude }: Place): string =>
  [latitude, longitude].map((degrees) => number(degrees, 3)).join(', ');
