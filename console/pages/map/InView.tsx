import { Button } from '../../components/Button';
import { ErrorNote } from '../../components/ErrorNote';
import { Table } from '../../components/Table';
import { day } from '../../core/amounts';
import { number, t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import { pictureAt } from './bubble-element';
import type { Cluster } from './clusters';
import type { ImageRecord, Nearby } from './nearby';

const addressOrName = (image: ImageRecord): string =>
  image.building_name ?? image.address_road ?? image.address_land ?? image.filename;

interface ImagesProps {
  readonly nearby: Nearby & { readonly problem: unknown; readonly more: () => void };
  /** The total number. */
  readonly count: number;
}

/** A user's images in the view or circle, nearest to its middle first. */
export function ImagesInView({ nearby, count }: ImagesProps) {
  const { images, finished, problem, more } = nearby;
  return (
    <>
      <ErrorNote problem={problem} onRetry={more} />
      {images.length > 0 && (
        <Table
          label={t('map.title')}
          rows={images}
          keyOf={({ id }) => id}
          total={finished ? images.length : Math.max(count, images.length + 1)}
          onEnd={more}
          columns={[
            {
              title: t('map.places'),
              share: 3,
              cell: (image: ImageRecord) => (
                <a class="map-row" href={hrefOf(pictureAt(image.id))}>
                  <img src={image.thumb_url} alt="" loading="lazy" width={36} height={36} />
                  <span>{addressOrName(image)}</span>
                </a>
              ),
            },
            {
              title: t('column.created'),
              share: 2,
              cell: (image: ImageRecord) => day(image.created_at),
            },
          ]}
        />
      )}
    </>
  );
}

interface ClustersProps {
  readonly clusters: readonly Cluster[];
  readonly onZoom: (cluster: Cluster) => void;
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
          share: 2,
          cell: (cluster: Cluster) => (
            <Button variant="quiet" onClick={() => onZoom(cluster)}>
              {coordinatesText(cluster)}
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

const coordinatesText = ({ geometry }: Cluster): string =>
  geometry.coordinates
    .toReversed()
    .map((degrees) => number(degrees, 3))
    .join(', ');
