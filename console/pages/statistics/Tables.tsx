import type { ComponentChildren } from 'preact';
import { Button } from '../../components/Button';
import { Card } from '../../components/Card';
import { ErrorNote } from '../../components/ErrorNote';
import { Table } from '../../components/Table';
import type { Column } from '../../components/Table';
import { size } from '../../core/amounts';
import { number, t } from '../../core/i18n';
import { csv, save } from '../../core/save';
import { useSaving } from '../../core/use-saving';
import { readAllAccounts, useAccounts } from '../users/accounts';
import type { Account } from '../users/accounts';
import { figures, formatOf, isCounted } from './figures';
import type { PlatformFigures, Range, Statistics } from './figures';

interface ExportedProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Returns the shown data, or more of it, as a file. */
  readonly csv: () => Blob | Promise<Blob>;
  readonly filename: string;
}

/** A card that can be downloaded as CSV. */
export function Exported({ title, children, csv, filename }: ExportedProps) {
  const saving = useSaving();
  const keep = (): void => saving.save(async () => save(await csv(), filename));
  const button = (
    <Button icon="download" busy={saving.busy} onClick={keep}>
      {t('statistics.csv')}
    </Button>
  );
  return (
    <Card title={title} actions={button}>
      <ErrorNote problem={saving.problem} onRetry={keep} />
      {children}
    </Card>
  );
}

/** A column for each figure. */
export const figureColumns = <Row,>(statsOf: (row: Row) => Statistics): Column<Row>[] =>
  figures.map((figure) => ({
    title: t(`statistics.figure.${figure}`),
    numeric: true,
    // For the long words in their heads.
    share: isCounted(figure) ? 1 : 2,
    cell: (row) => formatOf(figure)(statsOf(row)[figure]),
  }));

interface ByPlatformProps {
  readonly platforms: readonly PlatformFigures[];
  readonly range: Range;
}

export function ByPlatform({ platforms, range }: ByPlatformProps) {
  return (
    <Exported
      title={t('statistics.byPlatform')}
      csv={() => csvOfPlatforms(platforms)}
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

const csvOfPlatforms = (platforms: readonly PlatformFigures[]): Blob =>
  csv([
    ['platform_id', 'platform', ...figures],
    ...platforms.map(({ platform_id: id, platform, stats }) => [
      id,
      platform,
      ...figures.map((figure) => stats[figure]),
    ]),
  ]);

const columns = (): Column<Account>[] => [
  { title: t('users.name'), share: 2, cell: (row) => row.platform_user_id },
  { title: t('users.images'), numeric: true, share: 2, cell: (row) => number(row.image_count) },
  {
    title: t('statistics.inTrash'),
    numeric: true,
    cell: (row) => number(row.trash_image_count),
  },
  { title: t('users.storage'), numeric: true, share: 2, cell: (row) => size(row.used_storage_mb) },
  { title: t('statistics.quota'), numeric: true, cell: (row) => size(row.max_storage_mb) },
];

/** The usage of each user of a platform. */
export function ByUser({ platform }: { readonly platform: string }) {
  const { found, problem, again, more } = useAccounts(platform);
  const keep = async (): Promise<Blob> => csvOfUsers(await readAllAccounts(platform));
  return (
    <Exported title={t('statistics.byUser')} csv={keep} filename="imgstore-users.csv">
      <p class="hint">{t('statistics.byUserHint')}</p>
      <ErrorNote problem={problem} onRetry={again} />
      {found && (
        <Table
          wide
          label={t('statistics.byUser')}
          rows={found.items}
          total={found.total}
          keyOf={({ id }) => id}
          columns={columns()}
          onEnd={more}
        />
      )}
    </Exported>
  );
}

/** Fields of a user, named as in the API. */
const fields = [
  'id',
  'platform_user_id',
  'created_at',
  'suspended_at',
  'image_count',
  'trash_image_count',
  'used_storage_mb',
  'max_storage_mb',
] as const satisfies readonly (keyof Account)[];

const csvOfUsers = (accounts: readonly Account[]): Blob =>
  csv([fields, ...accounts.map((account) => fields.map((field) => account[field] ?? ''))]);
