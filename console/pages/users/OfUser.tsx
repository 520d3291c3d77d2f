import { Card } from '../../components/Card';
import { DescriptionList } from '../../components/DescriptionList';
import { ErrorNote } from '../../components/ErrorNote';
import { call } from '../../core/api';
import { t } from '../../core/i18n';
import { time } from '../../core/amounts';
import { useRead } from '../../core/use-read';
import { readAudit } from '../audit/audit';
import { everything } from '../audit/filters';
import { detailsInWords } from '../audit/words';
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

/** Refusals shown: the newest. */
const mostRefused = 10;

interface RefusedUploadsProps {
  /** For administrators: whose user it is. */
  readonly platform: string;
  readonly user: string;
}

/** Why the latest uploads of a user were refused; nothing if none was. */
export function RefusedUploads({ platform, user }: RefusedUploadsProps) {
  const { data, problem, again } = useRead(
    (signal) =>
      readAudit(
        { ...everything, platform, user, act: 'upload.refuse' },
        undefined,
        signal,
        mostRefused,
      ),
    [platform, user],
  );
  if (problem === undefined && !data?.items.length) return null;
  return (
    <Card title={t('users.refused')}>
      <ErrorNote problem={problem} onRetry={again} />
      <DescriptionList
        items={(data?.items ?? []).map((entry) => [time(entry.at), detailsInWords(entry)] as const)}
      />
    </Card>
  );
}
