import { useState } from 'preact/hooks';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { Field } from '../../components/Field';
import { Table } from '../../components/Table';
import { time } from '../../core/amounts';
import { call } from '../../core/api';
import type { components } from '../../core/api';
import { t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import { session } from '../../core/session';
import { useRead } from '../../core/use-read';

type User = components['schemas']['ListedUser'];

/** Whose library a platform opens. */
export default function Users() {
  const platform_id = session.value?.platformId ?? '';
  const [search, setSearch] = useState('');
  const { data, problem, again } = useRead(
    (signal) =>
      call((client) =>
        client.GET('/api/v1/platforms/{platform_id}/users', {
          params: { path: { platform_id } },
          signal,
        }),
      ),
    [platform_id],
  );
  const words = search.trim().toLowerCase();
  const found = data?.filter((user) => user.platform_user_id.toLowerCase().includes(words));
  return (
    <>
      <h1>{t('library.choose')}</h1>
      <Field type="search" label={t('library.user')} value={search} onInput={setSearch} />
      <ErrorNote problem={problem} onRetry={again} />
      {found?.length === 0 && <Empty icon="users" title={t('library.noUsers')} />}
      {found && found.length > 0 && (
        <Table
          label={t('library.choose')}
          rows={found}
          keyOf={({ id }) => id}
          columns={[
            {
              title: t('library.user'),
              share: 3,
              cell: (user: User) => (
                <a href={hrefOf(`/users/${user.id}/library`)}>{user.platform_user_id}</a>
              ),
            },
            {
              title: t('column.created'),
              minor: true,
              share: 2,
              cell: (user: User) => time(user.created_at),
            },
          ]}
        />
      )}
    </>
  );
}
