import { Card } from '../../components/Card';
import { ErrorNote } from '../../components/ErrorNote';
import { call } from '../../core/api';
import { t } from '../../core/i18n';
import { useRead } from '../../core/use-read';
import { LinkEntry } from '../links/LinkEntry';

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
  const turn = async (link_id: string, paused: boolean): Promise<void> => {
    const params = { path: { user_id, link_id } };
    const body = { state: paused ? 'paused' : 'active' } as const;
    await call((client) => client.PUT('/api/v1/users/{user_id}/links/{link_id}', { params, body }));
    read.again();
  };
  const { data } = read;
  return (
    <Card title={t('userLinks.title')}>
      <ErrorNote problem={read.problem} onRetry={read.again} />
      {data?.total_count === 0 && <p class="muted">{t('userLinks.none')}</p>}
      {data && data.items.length > 0 && (
        <ul class="entries">
          {data.items.map((link) => (
            <LinkEntry key={link.id} link={link} turn={(paused) => turn(link.id, paused)} />
          ))}
        </ul>
      )}
      {data && data.total_count > data.items.length && (
        <p class="hint">{t('userLinks.more', { count: data.total_count - data.items.length })}</p>
      )}
    </Card>
  );
}
