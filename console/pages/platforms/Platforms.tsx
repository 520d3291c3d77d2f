import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { CreateDialog, tokenPair } from '../../components/CreateDialog';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { Table } from '../../components/Table';
import type { Column } from '../../components/Table';
import { time } from '../../core/amounts';
import { call } from '../../core/api';
import type { components } from '../../core/api';
import { number, t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import { useRead } from '../../core/use-read';
import { Suspended } from '../users/Suspended';
import '../users/users.css';

type Platform = components['schemas']['Platform'];

const columns = (): Column<Platform>[] => [
  {
    title: t('platforms.name'),
    share: 3,
    cell: ({ id, platform, suspended_at: suspended = null }) => (
      <span class="user-name">
        <a href={hrefOf(`/platforms/${id}`)}>{platform}</a>
        <Suspended since={suspended} />
      </span>
    ),
  },
  { title: t('platforms.users'), numeric: true, cell: (row) => number(row.user_count) },
  { title: t('column.created'), minor: true, share: 2, cell: (row) => time(row.created_at) },
];

export default function Platforms() {
  const [creating, setCreating] = useState(false);
  const { data, problem, again } = useRead(
    (signal) => call((client) => client.GET('/api/v1/platforms', { signal })),
    [],
  );
  return (
    <>
      <div class="page-head">
        <h1>{t('platforms.title')}</h1>
        <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
          {t('platforms.create')}
        </Button>
      </div>
      <ErrorNote problem={problem} onRetry={again} />
      {data?.length === 0 && <Empty icon="platforms" title={t('platforms.none')} />}
      {data && data.length > 0 && (
        <Table
          label={t('platforms.title')}
          rows={data}
          keyOf={({ id }) => id}
          columns={columns()}
        />
      )}
      {creating && (
        <CreateDialog
          title={t('platforms.create')}
          label={t('platforms.name')}
          create={async (platform) =>
            tokenPair(
              await call((client) => client.POST('/api/v1/platforms', { body: { platform } })),
            )
          }
          onClose={(created) => {
            setCreating(false);
            if (created) again();
          }}
        />
      )}
    </>
  );
}
