import type { ComponentChildren } from 'preact';
import { Button } from '../../components/Button';
import { ConfirmButton } from '../../components/ConfirmDialog';
import { CreateButton } from '../../components/CreateButton';
import { Crumbs } from '../../components/Crumbs';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { day, time } from '../../core/amounts';
import { t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import type { PageProps } from '../../core/router';
import { session } from '../../core/session';
import { usePages } from '../../core/use-pages';
import { usePlatformName } from '../users/accounts';
import { HoldDialog } from './HoldDialog';
import { readHolds, releaseHold } from './holds';
import type { Hold } from './holds';

/** What may not be deleted for good, who wants it so, why, and since when. */
export default function Holds({ params }: PageProps) {
  const isOwn = session.value?.scope === 'platform';
  const platform = params.platform ?? session.value?.platformId ?? '';
  const { found, problem, again, more } = usePages(
    (cursor, signal) => readHolds(platform, cursor, signal),
    [platform],
  );
  return (
    <>
      <div class="page-title">
        {!isOwn && <PlatformCrumbs platform={platform} />}
        <div class="page-head">
          <h1>{t('holds.title')}</h1>
          <CreateButton label={t('holds.create')} onCreated={again}>
            {(onClose) => <HoldDialog platform={platform} onClose={onClose} />}
          </CreateButton>
        </div>
        <p class="muted">{t('holds.about')}</p>
      </div>
      <ErrorNote problem={problem} onRetry={again} />
      {found?.items.length === 0 && <Empty icon="check" title={t('holds.none')} />}
      {found && found.items.length > 0 && (
        <ul class="entries card">
          {found.items.map((hold) => (
            <Entry
              key={hold.id}
              hold={hold}
              under={isOwn ? '/users' : `/platforms/${platform}/users`}
            >
              {
                // What an administrator holds, only an administrator releases.
                hold.released_at === null && !(isOwn && hold.created_by === 'admin') && (
                  <ConfirmButton
                    title={t('holds.releaseTitle')}
                    text={t('holds.releaseText', { reason: hold.reason })}
                    label={t('holds.release')}
                    act={async () => {
                      await releaseHold(platform, hold.id);
                      again();
                    }}
                  />
                )
              }
            </Entry>
          ))}
        </ul>
      )}
      {found && found.next !== null && <Button onClick={more}>{t('audit.older')}</Button>}
    </>
  );
}

function PlatformCrumbs({ platform }: { readonly platform: string }) {
  const name = usePlatformName(platform) ?? '…';
  return (
    <Crumbs
      path={[
        { name: t('platforms.title'), to: '/platforms' },
        { name, to: `/platforms/${platform}` },
        { name: t('holds.title') },
      ]}
    />
  );
}

interface EntryProps {
  readonly hold: Hold;
  /** The path of a user's page, to which the id is added. */
  readonly under: string;
  /** What can be done about it. */
  readonly children: ComponentChildren;
}

function Entry({ hold, under, children }: EntryProps) {
  const { reason, until, created_at: since, created_by: by, released_at: released } = hold;
  const { user_id: user, folder_id: folder, image_ids: images } = hold;
  const ended = released !== null;
  return (
    <li class="entry" aria-label={reason}>
      <div class="entry-what">
        <p class="entry-title">
          {reason}
          <span class={ended ? 'tag' : 'tag caution'}>
            {t(ended ? 'holds.released' : 'holds.lasts')}
          </span>
        </p>
        <p>
          {user !== null && <a href={hrefOf(`${under}/${user}`)}>{t('holds.kind.user')}</a>}
          {folder !== null && <span title={folder}>{t('holds.kind.folder')}</span>}
          {images !== null && t('library.imageCount', { count: images.length })}
        </p>
        <p class="hint">
          {[
            t('narrow.by', { name: t(`actor.${by}`) }),
            t('dates.since', { day: time(since) }),
            ...(until === null ? [] : [t('dates.until', { day: day(until) })]),
            ...(released === null ? [] : [t('holds.releasedAt', { day: time(released) })]),
          ].join('\u00a0· ')}
        </p>
      </div>
      {children}
    </li>
  );
}
