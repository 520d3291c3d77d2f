import { useState } from 'preact/hooks';
import { CreateButton } from '../../components/CreateButton';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { Field } from '../../components/Field';
import { CreateDialog, tokenPair } from '../../components/Secrets';
import { Table } from '../../components/Table';
import type { Column, Order } from '../../components/Table';
import { size } from '../../core/amounts';
import { call } from '../../core/api';
import type { components } from '../../core/api';
import { language, number, t } from '../../core/i18n';
import { useRead } from '../../core/use-read';
import { dateColumns, nameColumn } from '../users/columns';

type Platform = components['schemas']['ListedPlatform'];

const columns = (): Column<Platform>[] => [
  nameColumn(t('platforms.name'), 'platform', ({ platform }) => platform, '/platforms'),
  {
    title: t('platforms.users'),
    numeric: true,
    sort: 'user_count',
    cell: (row) => number(row.user_count),
  },
  {
    title: t('users.storage'),
    numeric: true,
    share: 2,
    sort: 'used_storage_mb',
    cell: (row) => size(row.used_storage_mb),
  },
  ...dateColumns<Platform>('last_upload_at'),
];

/** All platforms come at once. */
function sorted(platforms: readonly Platform[], { by, down }: Order): Platform[] {
  const valueOf = (one: Platform) => (one[by as 'platform'] ?? '') as string | number;
  const { compare } = new Intl.Collator(language.value, { numeric: true });
  const found = platforms.toSorted((first, second) => {
    const [one, other] = [valueOf(first), valueOf(second)];
    const isNumber = typeof one === 'number' && typeof other === 'number';
    return isNumber ? one - other : compare(String(one), String(other));
  });
  return down ? found.reverse() : found;
}

export default function Platforms() {
  const [typed, setTyped] = useState('');
  const [order, setOrder] = useState<Order>({ by: 'created_at', down: false });
  const { data, problem, again } = useRead(
    (signal) => call((client) => client.GET('/api/v1/platforms', { signal })),
    [],
  );
  const words = typed.trim().toLowerCase();
  const found = data?.filter(({ platform }) => platform.toLowerCase().includes(words)) ?? [];
  return (
    <>
      <div class="page-head">
        <h1>{t('platforms.title')}</h1>
        <Field label={t('platforms.search')} type="search" value={typed} onInput={setTyped} bare />
        <CreateButton label={t('platforms.create')} onCreated={again}>
          {(onClose) => (
            <CreateDialog
              title={t('platforms.create')}
              label={t('platforms.name')}
              create={async (platform) =>
                tokenPair(
                  await call((client) => client.POST('/api/v1/platforms', { body: { platform } })),
                )
              }
              onClose={onClose}
            />
          )}
        </CreateButton>
      </div>
      <ErrorNote problem={problem} onRetry={again} />
      {data && found.length === 0 && (
        <Empty
          icon="platforms"
          title={t(data.length === 0 ? 'platforms.none' : 'platforms.noneFound')}
        />
      )}
      {found.length > 0 && (
        <Table
          label={t('platforms.title')}
          rows={sorted(found, order)}
          keyOf={({ id }) => id}
          columns={columns()}
          order={order}
          onOrder={setOrder}
        />
      )}
    </>
  );
}
