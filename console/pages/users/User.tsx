import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { Copyable } from '../../components/Copyable';
import { Crumbs } from '../../components/Crumbs';
import { ErrorNote } from '../../components/ErrorNote';
import { Figure } from '../../components/Figure';
import { Icon } from '../../components/Icon';
import { OnServer } from '../../components/OnServer';
import { Progress } from '../../components/Progress';
import { Tokens } from '../../components/Tokens';
import { size } from '../../core/amounts';
import { number, t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import type { PageProps } from '../../core/router';
import { session } from '../../core/session';
import { useRead } from '../../core/use-read';
import { useSaving } from '../../core/use-saving';
import { usePlatformName } from '../platforms/names';
import { issueToken, readAccount } from './accounts';
import type { Account } from './accounts';
import { LinksOfUser } from './LinksOfUser';
import { QuotaDialog } from './QuotaDialog';
import { AuditLink } from '../audit/AuditLink';
import { Suspended, SuspendMenu } from './Suspended';
import './users.css';

/** One user: what is stored, and what a platform or an administrator can do about it. */
export default function User({ params }: PageProps) {
  // An administrator's path has another word for it: the rail shows no library there.
  const id = params.user ?? params.account ?? '';
  const platform = params.platform ?? session.value?.platformId ?? '';
  const isOwn = session.value?.scope === 'platform';
  const [limiting, setLimiting] = useState(false);
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
          {account && isOwn && <Actions platform={platform} account={account} />}
          {account && (
            <SuspendMenu
              platform={platform}
              user={id}
              name={account.platform_user_id}
              since={account.suspended_at}
              onChange={read.again}
            />
          )}
        </div>
      </div>
      <ErrorNote problem={read.problem} onRetry={read.again} />
      {account && (
        <>
          <Figures account={account} onQuota={isOwn ? () => setLimiting(true) : undefined} />
          {isOwn && <LinksOfUser user={id} />}
          <AuditLink platform={isOwn ? undefined : platform} user={id} />
          <OnServer commands={[[t('onServer.userToken'), `user token ${id}`]]} />
        </>
      )}
      {account && limiting && (
        <QuotaDialog
          account={account}
          onClose={() => setLimiting(false)}
          onChange={() => read.again()}
        />
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
}

/** What a platform can do. */
function Actions({ platform, account }: ActionsProps) {
  const [token, setToken] = useState<string>();
  const saving = useSaving();
  const issue = (): void => saving.save(async () => setToken(await issueToken(platform, account)));
  return (
    <>
      <Button icon="plus" busy={saving.busy} onClick={issue}>
        {t('users.issueToken')}
      </Button>
      <a class="button primary" href={hrefOf(`/users/${account.id}/library`)}>
        <Icon name="library" />
        {t('users.openLibrary')}
      </a>
      <ErrorNote problem={saving.problem} onRetry={issue} />
      {token !== undefined && (
        <Tokens
          title={t('users.tokenOf', { name: account.platform_user_id })}
          secrets={[[t('tokens.access'), token]]}
          onClose={() => setToken(undefined)}
        />
      )}
    </>
  );
}

interface FiguresProps {
  readonly account: Account;
  readonly onQuota: (() => void) | undefined;
}

function Figures({ account, onQuota }: FiguresProps) {
  const { platform_user_id: name, used_storage_mb: used, max_storage_mb: max } = account;
  return (
    <dl class="figures">
      <Figure label={t('users.images')} value={number(account.image_count)} />
      <Figure label={t('statistics.inTrash')} value={number(account.trash_image_count)} />
      <Figure label={t('users.storage')} value={size(used)}>
        <span class="figure-limit">
          {t('users.limit', { max: size(max) })}
          {onQuota && (
            <Button variant="quiet" icon="edit" iconOnly onClick={onQuota}>
              {t('users.editQuota', { name })}
            </Button>
          )}
        </span>
        <Progress label={t('users.quotaOf', { name })} value={max > 0 ? used / max : 1} fills />
      </Figure>
      <div class="figure">
        <dt>{t('users.id')}</dt>
        <dd>
          <Copyable name={t('users.id')} value={account.id} />
        </dd>
      </div>
    </dl>
  );
}
