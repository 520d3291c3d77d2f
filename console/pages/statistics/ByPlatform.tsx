import { Select } from '../../components/Select';
import { Table } from '../../components/Table';
import { t } from '../../core/i18n';
import { csv } from './csv';
import { figures } from './figures';
import { Panel } from './Panel';
import { figureColumns } from './PerDay';
import type { PlatformFigures, Range } from './read';

interface ByPlatformProps {
  readonly platforms: readonly PlatformFigures[];
  readonly range: Range;
  /** The platform whose days are shown; empty for all. */
  readonly only: string;
  readonly onOnly: (platformId: string) => void;
}

export function ByPlatform({ platforms, range, only, onOnly }: ByPlatformProps) {
  const choices = platforms.map(({ platform_id: value, platform: label }) => ({ value, label }));
  return (
    <Panel
      title={t('statistics.byPlatform')}
      csv={() => csvOf(platforms)}
      filename={`imgstore-platforms-${range.from}-${range.to}.csv`}
    >
      <Select
        label={t('statistics.only')}
        value={only}
        options={[{ value: '', label: t('statistics.allPlatforms') }, ...choices]}
        onChange={onOnly}
      />
      <Table
        wide
        label={t('statistics.byPlatform')}
        rows={platforms}
        keyOf={(row) => row.platform_id}
        columns={[
          { title: t('platforms.name'), cell: (row: PlatformFigures) => row.platform },
          ...figureColumns(({ stats }: PlatformFigures) => stats),
        ]}
      />
    </Panel>
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
