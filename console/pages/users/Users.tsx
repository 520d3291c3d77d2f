import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { CreateButton } from '../../components/CreateButton';
import { Crumbs } from '../../components/Crumbs';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { Field } from '../../components/Field';
import { Icon } from '../../components/Icon';
import { OnServer } from '../../components/OnServer';
import type { ServerCommand } from '../../components/OnServer';
import { Progress } from '../../components/Progress';
import { CreateDialog, tokenPair } from '../../components/Secrets';
import { Select } from '../../components/Select';
import { Table } from '../../components/Table';
import type { Column, Order } from '../../components/Table';
import { size } from '../../core/amounts';
import { call } from '../../core/api';
import { number, t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import type { PageProps } from '../../core/router';
import { session } from '../../core/session';
import { useSettled } from '../../core/use-settled';
import { AuditLink } from '../audit/AuditLink';
import { useAccounts, useLimits, usePlatformName } from './accounts';
import type { Account, Wanted } from './accounts';
import { dateColumns, nameColumn } from './columns';
import { Limits } from './Limits';
import { QuotaDialog } from './QuotaDialog';
import { SuspendButton } from './Suspension';

const states = ['', 'active', 'suspended', 'full'] as const;
const oldest: Order = { by: 'created_at', down: false };

/** The users of a platform: the one in the path, or the token's own. */
export default function Users({ params }: PageProps) {
  const platform = params.platform ?? session.value?.platformId ?? '';
  const isOwn = session.value?.scope === 'platform';
  const [typed, setTyped] = useState('');
  const [state, setState] = useState<(typeof states)[number]>('');
  const [order, setOrder] = useState(oldest);
  const [turn, setTurn] = useState(0);
  const [limited, setLimited] = useState<Account>();
  const name = usePlatformName(platform);
  const limits = useLimits(platform, turn);
  const search = useSettled(typed.trim());
  const wanted: Wanted = {
    ...(search && { search }),
    ...(state && { state }),
    sort_by: order.by as 'name',
    sort_order: order.down ? 'desc' : 'asc',
  };
  const { found, problem, more, put } = useAccounts(platform, wanted, turn);
  const narrowed = search !== '' || state !== '';
  const again = (): void => setTurn(turn + 1);
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
          <Field label={t('users.search')} type="search" value={typed} onInput={setTyped} bare />
          <Select
            label={t('users.state')}
            bare
            value={state}
            options={states.map((value) => ({ value, label: t(`users.state.${value || 'any'}`) }))}
            onChange={setState}
          />
          {isOwn && (
            <CreateButton label={t('users.create')} onCreated={again}>
              {(onClose) => (
                <CreateDialog
                  title={t('users.create')}
                  label={t('users.name')}
                  hint={t('users.nameHint')}
                  create={(given) => createUser(platform, given)}
                  onClose={onClose}
                />
              )}
            </CreateButton>
          )}
          {!isOwn && limits.data && (
            <SuspendButton
              platform={platform}
              name={name ?? t('platforms.name')}
              since={limits.data.suspended_at}
              onChange={again}
            />
          )}
        </div>
      </div>
      {limits.data && <Limits platform={platform} limits={limits.data} />}
      <ErrorNote problem={problem ?? limits.problem} onRetry={again} />
      {found?.total === 0 && (
        <Empty icon="users" title={t(narrowed ? 'users.noneFound' : 'users.none')} />
      )}
      {found && found.total > 0 && (
        <Table
          label={t('users.title')}
          rows={found.items}
          total={found.total}
          keyOf={({ id }) => id}
          columns={columns(
            isOwn ? '/users' : `/platforms/${platform}/users`,
            isOwn ? setLimited : undefined,
          )}
          onEnd={more}
          order={order}
          onOrder={setOrder}
        />
      )}
      {!isOwn && limits.data && (
        <>
          <p>
            <a class="button" href={hrefOf(`/platforms/${platform}/holds`)}>
              {t('holds.title')}
            </a>
          </p>
          <AuditLink platform={platform} />
          <OnServer commands={commandsFor(platform)} />
        </>
      )}
      {limited && (
        <QuotaDialog
          account={limited}
          onClose={() => setLimited(undefined)}
          onChange={(changed) =>
            put((each) => (each.id === changed.id ? { ...each, ...changed } : each))
          }
        />
      )}
    </>
  );
}

/**
 * @param under the path of a user's page, to which the id is added.
 * @param onQuota starts to change how much a user may store; undefined if the token may not.
 */
const columns = (
  under: string,
  onQuota: ((account: Account) => void) | undefined,
): Column<Account>[] => [
  nameColumn(t('users.name'), 'name', (row) => row.platform_user_id, under),
  {
    title: t('users.images'),
    share: 2,
    numeric: true,
    minor: 'tablets',
    sort: 'images',
    cell: (row) => number(row.image_count),
  },
  {
    title: t('users.storage'),
    share: 3,
    sort: 'storage',
    cell: (row) => <Quota account={row} onEdit={onQuota && (() => onQuota(row))} />,
  },
  ...dateColumns<Account>('last_upload'),
  ...(onQuota ? [library()] : []),
];

/** A platform opens the libraries of its users; an administrator's token may not. */
const library = (): Column<Account> => ({
  title: t('library.title'),
  minor: 'phones',
  cell: ({ id, platform_user_id: name }) => (
    <a
      class="button quiet icon-only"
      href={hrefOf(`/users/${id}/library`)}
      title={t('users.openLibraryOf', { name })}
      aria-label={t('users.openLibraryOf', { name })}
    >
      <Icon name="library" />
    </a>
  ),
});

interface QuotaProps {
  readonly account: Account;
  readonly onEdit: (() => void) | undefined;
}

/** What a user stores, and the quota. */
function Quota({ account, onEdit }: QuotaProps) {
  const { used_storage_mb: used, max_storage_mb: max, platform_user_id: name } = account;
  return (
    <span class="quota">
      <span class="quota-share">
        <span>{t('users.used', { used: size(used), max: size(max) })}</span>
        <Progress label={t('users.quotaOf', { name })} value={max > 0 ? used / max : 1} fills />
      </span>
      {onEdit && (
        <Button variant="quiet" icon="edit" iconOnly onClick={onEdit}>
          {t('users.editQuota', { name })}
        </Button>
      )}
    </span>
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
  [t('onServer.identity'), `platform identity show ${id}`],
  [t('onServer.sessions'), `session list --platform ${id}`],
  [t('onServer.deletePlatform'), `platform delete ${id}`],
];
