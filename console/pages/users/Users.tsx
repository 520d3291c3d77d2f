import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { CreateDialog, tokenPair } from '../../components/CreateDialog';
import { Crumbs } from '../../components/Crumbs';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { Field } from '../../components/Field';
import { OnServer } from '../../components/OnServer';
import type { ServerCommand } from '../../components/OnServer';
import { call } from '../../core/api';
import { t } from '../../core/i18n';
import type { PageProps } from '../../core/router';
import { session } from '../../core/session';
import { usePlatformName } from '../platforms/names';
import { AuditLink } from '../audit/AuditLink';
import type { Account } from './accounts';
import { Limits } from './Limits';
import { useLimits } from './use-limits';
import { QuotaDialog } from './QuotaDialog';
import { SuspendMenu } from './Suspended';
import { useAccounts } from './use-accounts';
import { UserTable } from './UserTable';
import './users.css';

/** Milliseconds without a key press before the search starts. */
const pauseMs = 250;

/** The users of a platform: the one in the path, or the token's own. */
export default function Users({ params }: PageProps) {
  const platform = params.platform ?? session.value?.platformId ?? '';
  const isOwn = session.value?.scope === 'platform';
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [turn, setTurn] = useState(0);
  const [creating, setCreating] = useState(false);
  const [limited, setLimited] = useState<Account>();
  const name = usePlatformName(platform);
  const limits = useLimits(platform, turn);
  const { accounts, problem, more, put } = useAccounts(platform, search, turn);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <>
      <div class="page-title">
        {!isOwn && (
          <Crumbs
            path={[{ name: t('platforms.title'), to: '/platforms' }, { name: name ?? '…' }]}
          />
        )}
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
          {!isOwn && limits.data && (
            <SuspendMenu
              platform={platform}
              name={name ?? t('platforms.name')}
              since={limits.data.suspended_at}
              onChange={() => setTurn(turn + 1)}
            />
          )}
        </div>
      </div>
      {limits.data && <Limits platform={platform} limits={limits.data} />}
      <ErrorNote problem={problem ?? limits.problem} onRetry={() => setTurn(turn + 1)} />
      {accounts?.total === 0 && (
        <Empty icon="users" title={t(search === '' ? 'users.none' : 'users.noneFound')} />
      )}
      {accounts && accounts.total > 0 && (
        <UserTable
          accounts={accounts.items}
          total={accounts.total}
          onEnd={more}
          under={isOwn ? '/users' : `/platforms/${platform}/users`}
          onQuota={isOwn ? setLimited : undefined}
        />
      )}
      {!isOwn && limits.data && (
        <>
          <AuditLink platform={platform} />
          <OnServer commands={commandsFor(platform)} />
        </>
      )}
      {limited && (
        <QuotaDialog account={limited} onClose={() => setLimited(undefined)} onChange={put} />
      )}
      {creating && (
        <CreateDialog
          title={t('users.create')}
          label={t('users.name')}
          hint={t('users.nameHint')}
          create={(name) => createUser(platform, name)}
          onClose={(created) => {
            setCreating(false);
            if (created) setTurn(turn + 1);
          }}
        />
      )}
    </>
  );
}

const createUser = async (platform_id: string, platform_user_id: string) =>
  tokenPair(
    await call((client) =>
      client.POST('/api/v1/platforms/{platform_id}/users', {
        params: { path: { platform_id } },
        body: { platform_user_id },
      }),
    ),
  );

const commandsFor = (id: string): readonly ServerCommand[] => [
  [t('onServer.platformToken'), `platform token ${id}`],
  [t('onServer.limits'), `platform limit ${id}`],
];
