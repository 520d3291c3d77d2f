import { ErrorNote } from '../../components/ErrorNote';
import { Table } from '../../components/Table';
import type { Column } from '../../components/Table';
import { size } from '../../core/amounts';
import { number, t } from '../../core/i18n';
import { readAllAccounts } from '../users/accounts';
import type { Account } from '../users/accounts';
import { useAccounts } from '../users/use-accounts';
import { csv } from './csv';
import { Exported } from './Exported';

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
  const { accounts, problem, again, more } = useAccounts(platform);
  const keep = async (): Promise<Blob> => csvOf(await readAllAccounts(platform));
  return (
    <Exported title={t('statistics.byUser')} csv={keep} filename="imgstore-users.csv">
      <p class="hint">{t('statistics.byUserHint')}</p>
      <ErrorNote problem={problem} onRetry={again} />
      {accounts && (
        <Table
          wide
          label={t('statistics.byUser')}
          rows={accounts.items}
          total={accounts.total}
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

const csvOf = (accounts: readonly Account[]): Blob =>
  csv([fields, ...accounts.map((account) => fields.map((field) => account[field] ?? ''))]);
