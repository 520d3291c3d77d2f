import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { ConfirmButton } from '../../components/ConfirmDialog';
import { Copyable } from '../../components/Copyable';
import { Crumbs } from '../../components/Crumbs';
import { ErrorNote } from '../../components/ErrorNote';
import { Figure } from '../../components/Figure';
import { Icon } from '../../components/Icon';
import { OnServer } from '../../components/OnServer';
import { Progress } from '../../components/Progress';
import { SecretsDialog } from '../../components/Secrets';
import { toast } from '../../components/Toast';
import { day, size } from '../../core/amounts';
import { number, t } from '../../core/i18n';
import { go, hrefOf } from '../../core/router';
import type { PageProps } from '../../core/router';
import { session } from '../../core/session';
import { useRead } from '../../core/use-read';
import { useSaving } from '../../core/use-saving';
import { AuditLink } from '../audit/AuditLink';
import { HoldDialog } from '../holds/HoldDialog';
import { Sessions } from '../sessions/Sessions';
import { NarrowTokens } from '../tokens/NarrowTokens';
import { deleteUser, issueToken, readAccount, usePlatformName } from './accounts';
import type { Account } from './accounts';
import { LinksOfUser, RefusedUploads } from './OfUser';
import { PhoneSignIn } from './PhoneSignIn';
import { QuotaDialog } from './QuotaDialog';
import { SuspendButton, Suspended } from './Suspension';
import './users.css';

/** One user: what is stored, and what a platform or an administrator can do about it. */
export default function User({ params }: PageProps) {
  // An administrator's path has another word for it: the rail shows no library there.
  const id = params.user ?? params.account ?? '';
  const platform = params.platform ?? session.value?.platformId ?? '';
  const isOwn = session.value?.scope === 'platform';
  const [turn, setTurn] = useState(0);
  const read = useRead((signal) => readAccount(platform, id, signal), [platform, id]);
  const { data: account } = read;
  return (
    <>
      <div class="page-title">
        <UserCrumbs platform={platform} name={account?.platform_user_id ?? '…'} isOwn={isOwn} />
        <div class="page-head">
          <h1 class="user-name">
            {account?.platform_user_id ?? '…'}
            <Suspended since={account?.suspended_at ?? null} />
          </h1>
          {account && isOwn && (
            <a class="button primary" href={hrefOf(`/users/${account.id}/library`)}>
              <Icon name="library" />
              {t('users.openLibrary')}
            </a>
          )}
        </div>
      </div>
      <ErrorNote problem={read.problem} onRetry={read.again} />
      {account && (
        <>
          <Figures account={account} />
          <Actions platform={platform} account={account} isOwn={isOwn} onChange={read.again}>
            <PhoneSignIn account={account} onDone={() => setTurn(turn + 1)} />
          </Actions>
          <RefusedUploads platform={platform} user={id} />
          {isOwn && <Sessions user={id} turn={turn} />}
          {isOwn && <NarrowTokens owner={{ kind: 'user', id }} />}
          {isOwn && <LinksOfUser user={id} />}
          <AuditLink platform={isOwn ? undefined : platform} user={id} />
          <OnServer
            commands={[
              [t('onServer.userToken'), `user token ${id}`],
              ...(isOwn
                ? []
                : ([
                    [t('onServer.userQuota'), `user quota ${id}`],
                    [t('onServer.sessions'), `session list --user ${id}`],
                    [t('onServer.deleteUser'), `user delete ${id}`],
                  ] as const)),
            ]}
          />
        </>
      )}
    </>
  );
}

interface UserCrumbsProps {
  readonly platform: string;
  readonly name: string;
  readonly isOwn: boolean;
}

function UserCrumbs({ platform, name, isOwn }: UserCrumbsProps) {
  const platformName = usePlatformName(platform) ?? '…';
  const path = isOwn
    ? [{ name: t('users.title'), to: '/users' }]
    : [
        { name: t('platforms.title'), to: '/platforms' },
        { name: platformName, to: `/platforms/${platform}` },
        { name: t('users.title'), to: `/platforms/${platform}` },
      ];
  return <Crumbs path={[...path, { name }]} />;
}

interface ActionsProps {
  readonly platform: string;
  readonly account: Account;
  /** Whether the reader is the platform. */
  readonly isOwn: boolean;
  readonly onChange: () => void;
  /** More of them. */
  readonly children: ComponentChildren;
}

/** What a platform or an administrator can do. */
function Actions({ platform, account, isOwn, onChange, children }: ActionsProps) {
  const { id, platform_user_id: name } = account;
  const [asked, setAsked] = useState<'quota' | 'hold'>();
  const [token, setToken] = useState<string>();
  const saving = useSaving();
  const issue = (): void => saving.save(async () => setToken(await issueToken(platform, account)));
  const close = (): void => setAsked(undefined);
  return (
    <div class="user-actions">
      {isOwn && (
        <>
          <Button icon="edit" onClick={() => setAsked('quota')}>
            {t('users.changeQuota')}
          </Button>
          <Button icon="plus" busy={saving.busy} onClick={issue}>
            {t('users.issueToken')}
          </Button>
        </>
      )}
      {children}
      <Button onClick={() => setAsked('hold')}>{t('holds.create')}</Button>
      <SuspendButton
        platform={platform}
        user={id}
        name={name}
        since={account.suspended_at}
        onChange={onChange}
      />
      {isOwn && (
        <ConfirmButton
          variant="danger"
          icon="trash"
          title={t('users.deleteTitle', { name })}
          text={t('users.deleteText', {
            images: number(account.image_count),
            trash: number(account.trash_image_count),
            size: size(account.used_storage_mb),
          })}
          label={t('users.delete')}
          act={async () => {
            await deleteUser(id);
            toast(t('users.deleted', { name }));
            go('/users', { replace: true });
          }}
        />
      )}
      <ErrorNote problem={saving.problem} onRetry={issue} />
      {token !== undefined && (
        <SecretsDialog
          title={t('users.tokenOf', { name })}
          secrets={[[t('tokens.access'), token]]}
          onClose={() => setToken(undefined)}
        />
      )}
      {asked === 'quota' && <QuotaDialog account={account} onClose={close} onChange={onChange} />}
      {asked === 'hold' && <HoldDialog platform={platform} user={account} onClose={close} />}
    </div>
  );
}

function Figures({ account }: { readonly account: Account }) {
  const { platform_user_id: name, used_storage_mb: used, max_storage_mb: max } = account;
  const { last_upload_at: last } = account;
  return (
    <dl class="figures">
      <Figure label={t('users.images')} value={number(account.image_count)} />
      <Figure label={t('statistics.inTrash')} value={number(account.trash_image_count)} />
      <Figure label={t('users.storage')} value={size(used)}>
        {t('users.limit', { max: size(max) })}
        <Progress label={t('users.quotaOf', { name })} value={max > 0 ? used / max : 1} fills />
      </Figure>
      <Figure label={t('column.lastUpload')} value={last ? day(last) : '–'} />
      <div class="figure">
        <dt>{t('users.id')}</dt>
        <dd>
          <Copyable name={t('users.id')} value={account.id} />
        </dd>
      </div>
    </dl>
  );
}
