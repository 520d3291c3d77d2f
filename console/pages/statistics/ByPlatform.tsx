import { Table } from '../../components/Table';
import { t } from '../../core/i18n';
import { csv } from './csv';
import { figures } from './figures';
import { Exported } from './Exported';
import { figureColumns } from './figure-columns';
import type { PlatformFigures, Range } from './read';

interface ByPlatformProps {
  readonly platforms: readonly PlatformFigures[];
  readonly range: Range;
}

export function ByPlatform({ platforms, range }: ByPlatformProps) {
  return (
    <Exported
      title={t('statistics.byPlatform')}
      csv={() => csvOf(platforms)}
      filename={`imgstore-platforms-${range.from}-${range.to}.csv`}
    >
      <Table
        wide
        label={t('statistics.byPlatform')}
        rows={platforms}
        keyOf={(row) => row.platform_id}
        columns={[
          { title: t('platforms.name'), share: 2, cell: (row: PlatformFigures) => row.platform },
          ...figureColumns(({ stats }: PlatformFigures) => stats),
        ]}
      />
    </Exported>
  );
}

const csvOf = (platforms: readonly PlatformFigures[]): Blob =>
  csv([
    ['platform_id', 'platform', ...figures],
    ...platforms.map(({ platform_id: id, platform, stats }) => [
      id,
      platform,
      ...figures.map((figure) => stats[figure]),
    ]),
  ]);
