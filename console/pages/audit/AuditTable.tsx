import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { weekday } from '../../core/amounts';
import { number, t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import { session } from '../../core/session';
import { useRead } from '../../core/use-read';
import { accessTo } from '../library/access';
import { actsOf } from './audit';
import type { Act, AuditEntry } from './audit';
import { actInWords, actorInWords, detailsInWords, imageIn } from './words';

/** Acts by day; on narrow screens, each stands in lines of its own. */
export function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const byDay = new Map<string, Act[]>();
  for (const act of actsOf(entries)) {
    const day = act.entry.at.slice(0, 8);
    byDay.set(day, [...(byDay.get(day) ?? []), act]);
  }
  return (
    <div class="card audit">
      {[...byDay].map(([day, acts]) => (
        <table key={day}>
          <caption>{weekday(day)}</caption>
          <thead>
            <tr>
              <th scope="col">{t('audit.when')}</th>
              <th scope="col">{t('audit.what')}</th>
              <th scope="col">{t('audit.whom')}</th>
              <th scope="col">{t('audit.who')}</th>
            </tr>
          </thead>
          <tbody>
            {acts.map((act, index) => (
              <Row key={index} act={act} />
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}

function Row({ act: { entry, entries } }: { readonly act: Act }) {
  const [open, setOpen] = useState(false);
  const count = entries.length;
  const images = [...new Set(entries.flatMap((each) => imageIn(each) ?? []))];
  const isTold = session.value?.scope === 'platform' && entry.user_id !== null;
  const said = [...new Set(entries.map(detailsInWords))].filter(Boolean);
  return (
    <tr>
      <td>{clockOf(entry.at)}</td>
      <td>
        {actInWords(entry.act)}
        {count > 1 && <span class="tag">× {number(count)}</span>}
        {said.length === 1 && <span class="hint">{said[0]}</span>}
        {images.length > 0 && isTold && (
          <Button
            variant="quiet"
            icon={open ? 'down' : 'chevron'}
            expanded={open}
            onClick={() => setOpen(!open)}
          >
            {t('library.imageCount', { count: images.length })}
          </Button>
        )}
        {open && <Pictures user={entry.user_id ?? ''} images={images} />}
      </td>
      <td>
        <Whom entry={entry} />
      </td>
      <td>
        {actorInWords(entry)}
        {entry.token_id !== null && (
          <span class="hint" title={entry.token_id}>
            {entry.token?.name ?? t('audit.token', { id: entry.token_id.slice(-8) })}
          </span>
        )}
      </td>
    </tr>
  );
}

/** Pictures that are shown of one act. */
const mostPictures = 12;

/** The pictures of an act, as far as they still exist; each leads to its page. */
function Pictures({ user, images }: { readonly user: string; readonly images: readonly string[] }) {
  const ids = images.slice(0, mostPictures);
  const { data } = useRead((signal) => readPictures(user, ids, signal), [user, ids.join()]);
  return (
    <ul class="audit-pictures">
      {data?.map(({ id, thumb_url: url }) => (
        <li key={id}>
          <a href={hrefOf(`/users/${user}/library/images/${id}`)}>
            <img src={url} alt={t('picture.title')} width={56} height={56} />
          </a>
        </li>
      ))}
      {images.length > ids.length && <li>+{number(images.length - ids.length)}</li>}
    </ul>
  );
}

async function readPictures(user_id: string, ids: readonly string[], signal: AbortSignal) {
  const { call } = accessTo(user_id);
  const answers = await Promise.allSettled(
    ids.map((image_id) =>
      call((client) =>
        client.GET('/api/v1/users/{user_id}/images/{image_id}', {
          params: { path: { user_id, image_id } },
          signal,
        }),
      ),
    ),
  );
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
}

/** The day is above. */
const clockOf = (at: string): string => at.slice(9).replace(/^(\d\d)(\d\d)(\d\d)$/, '$1:$2:$3');

/** The user, and for administrators the platform; what is gone has only its id. */
function Whom({ entry }: { readonly entry: AuditEntry }) {
  const { platform_id: platformId, platform, user_id: userId, platform_user_id: name } = entry;
  const isOwn = session.value?.scope === 'platform';
  const under = isOwn ? '/users' : `/platforms/${platformId}/users`;
  return (
    <>
      {userId !== null && <Name id={userId} name={name} to={`${under}/${userId}`} />}
      {!isOwn && platformId !== null && (
        <Name id={platformId} name={platform} to={`/platforms/${platformId}`} />
      )}
    </>
  );
}

interface NameProps {
  readonly id: string;
  readonly name: string | null;
  readonly to: string;
}

function Name({ id, name, to }: NameProps) {
  return name === null ? (
    <span class="hint" title={id}>
      {t('audit.gone', { id: id.slice(-8) })}
    </span>
  ) : (
    <a href={hrefOf(to)}>{name}</a>
  );
}
