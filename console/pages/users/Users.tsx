import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { CreateDialog } from '../../components/CreateDialog';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { Field } from '../../components/Field';
import { Table } from '../../components/Table';
import type { Column } from '../../components/Table';
import { time } from '../../core/amounts';
import { call } from '../../core/api';
import { number, t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import type { PageProps } from '../../core/router';
import { session } from '../../core/session';
import type { Account } from './accounts';
import { Limits } from './Limits';
import { Quota } from './Quota';
import { QuotaDialog } from './QuotaDialog';
import { useAccounts } from './use-accounts';
import './users.css';

interface Columns {
  /** Starts to change how much a user may store, if the token may do that. */
  readonly onQuota: ((account: Account) => void) | undefined;
}

const columns = ({ onQuota }: Columns): Column<Account>[] => [
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
  { title: t('users.images'), numeric: true, minor: true, cell: (row) => number(row.image_count) },
  {
    title: t('users.storage'),
    share: 3,
    cell: (row) => <Quota account={row} onEdit={onQuota && (() => onQuota(row))} />,
  },
  { title: t('column.created'), minor: true, share: 2, cell: (row) => time(row.created_at) },
];

/** A platform opens the libraries of its users; an administrator's token may not. */
function Name({ account: { id, platform_user_id: name } }: { readonly account: Account }) {
  if (session.value?.scope !== 'platform') return <>{name}</>;
  return <a href={hrefOf(`/users/${id}/library`)}>{name}</a>;
}

/** Milliseconds without a key press before the search starts. */
const pauseMs = 250;

/** The users of a platform: the one in the path, or the token's own. */
export default function Users({ params }: PageProps) {
  const platform = params.platform ?? session.value?.platformId ?? '';
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [turn, setTurn] = useState(0);
  const [creating, setCreating] = useState(false);
  const [limited, setLimited] = useState<Account>();
  const { accounts, problem, again, more, put } = useAccounts(platform, search, turn);
  const isOwn = session.value?.scope === 'platform';
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
        {isOwn && (
          <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
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
          columns={columns({ onQuota: isOwn ? setLimited : undefined })}
          onEnd={more}
        />
      )}
      {limited && (
        <QuotaDialog account={limited} onClose={() => setLimited(undefined)} onChange={put} />
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
