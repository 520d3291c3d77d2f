import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { CreateDialog } from '../../components/CreateDialog';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { Field } from '../../components/Field';
import { Progress } from '../../components/Progress';
import { Table } from '../../components/Table';
import type { Column } from '../../components/Table';
import { size, time } from '../../core/amounts';
import { call } from '../../core/api';
import { number, t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import { session } from '../../core/session';
import type { PageProps } from '../../pages';
import { Limits } from './Limits';
import { useAccounts } from './use-accounts';
import type { Account } from './use-accounts';
import './users.css';

const columns = (): Column<Account>[] => [
  {
    title: t('users.name'),
    share: 3,
    cell: (row) => (
      <>
        <Name account={row} />
        {row.suspended_at !== null && <span class="tag">{t('users.suspended')}</span>}
      </>
    ),
  },
  { title: t('users.images'), numeric: true, cell: (row) => number(row.image_count) },
  { title: t('users.storage'), share: 2, cell: (row) => <Quota account={row} /> },
  { title: t('column.created'), minor: true, share: 2, cell: (row) => time(row.created_at) },
];

/** A platform opens the libraries of its users; an administrator's token may not. */
function Name({ account: { id, platform_user_id: name } }: { readonly account: Account }) {
  if (session.value?.scope !== 'platform') return <>{name}</>;
  return <a href={hrefOf(`/users/${id}/library`)}>{name}</a>;
}

function Quota({ account }: { readonly account: Account }) {
  const { used_storage_mb: used, max_storage_mb: max, platform_user_id: name } = account;
  return (
    <span class="quota">
      <span>{t('users.used', { used: size(used), max: size(max) })}</span>
      <Progress label={t('users.quotaOf', { name })} value={max > 0 ? used / max : 1} fills />
    </span>
  );
}

/** Milliseconds without a key before what was typed is searched for. */
const pauseMs = 250;

/** The users of a platform: of the one in the path, or of the token's own. */
export default function Users({ params }: PageProps) {
  const platform = params.platform ?? session.value?.platformId ?? '';
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [turn, setTurn] = useState(0);
  const [creating, setCreating] = useState(false);
  const { accounts, problem, again, more } = useAccounts(platform, search, turn);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <>
      <div class="page-head">
        <h1>{t('users.title')}</h1>
        <Field
          label={t('users.search')}
          placeholder={t('users.search')}
          type="search"
          value={typed}
          onInput={setTyped}
          bare
        />
        {session.value?.scope === 'platform' && (
          <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
            {t('users.create')}
          </Button>
        )}
      </div>
      <Limits platform={platform} turn={turn} />
      <ErrorNote problem={problem} onRetry={again} />
      {accounts?.total === 0 && (
        <Empty icon="users" title={t(search === '' ? 'users.none' : 'users.noneFound')} />
      )}
      {accounts && accounts.total > 0 && (
        <Table
          label={t('users.title')}
          rows={accounts.items}
          total={accounts.total}
          keyOf={({ id }) => id}
          columns={columns()}
          onEnd={more}
        />
      )}
      {creating && (
        <CreateDialog
          title={t('users.create')}
          label={t('users.name')}
          hint={t('users.nameHint')}
          create={(name) =>
            call((client) =>
              client.POST('/api/v1/platforms/{platform_id}/users', {
                params: { path: { platform_id: platform } },
                body: { platform_user_id: name },
              }),
            )
          }
          onClose={(created) => {
            setCreating(false);
            if (created) setTurn(turn + 1);
          }}
        />
      )}
    </>
  );
}
