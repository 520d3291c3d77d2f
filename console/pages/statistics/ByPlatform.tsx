import { Button } from '../../components/Button';
import { Select } from '../../components/Select';
import { Table } from '../../components/Table';
import { t } from '../../core/i18n';
import { csv, save } from './csv';
import { figures } from './figures';
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
    <section class="panel" aria-labelledby="by-platform">
      <div class="page-head">
        <h2 id="by-platform">{t('statistics.byPlatform')}</h2>
        <Button
          onClick={() => save(csvOf(platforms), `imgstore-platforms-${range.from}-${range.to}.csv`)}
        >
          {t('statistics.csv')}
        </Button>
      </div>
      <Select
        label={t('statistics.only')}
        value={only}
        options={[{ value: '', label: t('statistics.allPlatforms') }, ...choices]}
        onChange={onOnly}
      />
      <Table
        label={t('statistics.byPlatform')}
        rows={platforms}
        keyOf={(row) => row.platform_id}
        columns={[
          {
            title: t('platforms.name'),
            share: 2,
            cell: (row: PlatformFigures) => row.platform,
          },
          ...figureColumns(({ stats }: PlatformFigures) => stats),
        ]}
      />
    </section>
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
