import { useId } from 'preact/hooks';
import { Button } from '../../components/Button';
import { Card } from '../../components/Card';
import { ErrorNote } from '../../components/ErrorNote';
import { time } from '../../core/amounts';
import { call } from '../../core/api';
import type { components } from '../../core/api';
import { t } from '../../core/i18n';
import { useRead } from '../../core/use-read';
import { useSaving } from '../../core/use-saving';

type Link = components['schemas']['Link'];

/** Links shown: the newest. */
const most = 100;

/** The links that a user has opened to people without an account. */
export function LinksOfUser({ user: user_id }: { readonly user: string }) {
  const read = useRead(
    (signal) =>
      call((client) =>
        client.GET('/api/v1/users/{user_id}/links', {
          params: { path: { user_id }, query: { page_size: most } },
          signal,
        }),
      ),
    [user_id],
  );
  const { data } = read;
  return (
    <Card title={t('userLinks.title')}>
      <ErrorNote problem={read.problem} onRetry={read.again} />
      {data?.total_count === 0 && <p class="muted">{t('userLinks.none')}</p>}
      {data && data.items.length > 0 && (
        <ul class="entries">
          {data.items.map((link) => (
            <Entry key={link.id} user={user_id} link={link} onChange={read.again} />
          ))}
        </ul>
      )}
      {data && data.total_count > data.items.length && (
        <p class="hint">{t('userLinks.more', { count: data.total_count - data.items.length })}</p>
      )}
    </Card>
  );
}

interface EntryProps {
  readonly user: string;
  readonly link: Link;
  readonly onChange: () => void;
}

function Entry({ user: user_id, link, onChange }: EntryProps) {
  const { id: link_id, kind, state, title, visits, expires_at: expires } = link;
  const saving = useSaving();
  const id = useId();
  const turn = (to: 'active' | 'paused'): void =>
    saving.save(async () => {
      const params = { path: { user_id, link_id } };
      await call((client) =>
        client.PUT('/api/v1/users/{user_id}/links/{link_id}', { params, body: { state: to } }),
      );
      onChange();
    });
  return (
    <li class="entry" aria-labelledby={id}>
      <div class="entry-what">
        <p id={id} class="entry-title">
          {title ?? t(`userLinks.${kind}`)}
          <span class={state === 'active' ? 'tag' : 'tag bad'}>{t(`userLinks.${state}`)}</span>
        </p>
        <p class="hint">
          {[
            title === null ? undefined : t(`userLinks.${kind}`),
            t(state === 'expired' ? 'userLinks.expiredAt' : 'userLinks.expires', {
              time: time(expires),
            }),
            t('userLinks.visits', { count: visits }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      {state === 'active' && (
        <Button busy={saving.busy} onClick={() => turn('paused')}>
          {t('action.pause')}
        </Button>
      )}
      {state === 'paused' && (
        <Button busy={saving.busy} onClick={() => turn('active')}>
          {t('action.resume')}
        </Button>
      )}
      <ErrorNote problem={saving.problem} />
    </li>
  );
}
