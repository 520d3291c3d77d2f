import { weekday } from '../../core/amounts';
import { t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import { session } from '../../core/session';
import type { AuditEntry } from './use-audit';
import { actInWords, actorInWords, detailsInWords } from './words';

/** Entries by day; on narrow screens, each stands in lines of its own. */
export function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const byDay = new Map<string, AuditEntry[]>();
  for (const entry of entries) {
    const day = entry.at.slice(0, 8);
    const ofDay = byDay.get(day);
    if (ofDay) ofDay.push(entry);
    else byDay.set(day, [entry]);
  }
  return (
    <div class="card audit">
      {[...byDay].map(([day, ofDay]) => (
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
            {ofDay.map((entry, index) => (
              <tr key={index}>
                <td>{clockOf(entry.at)}</td>
                <td>
                  {actInWords(entry.act)}
                  <Details entry={entry} />
                </td>
                <td>
                  <Whom entry={entry} />
                </td>
                <td>
                  {actorInWords(entry)}
                  {entry.token_id !== null && (
                    <span class="hint" title={entry.token_id}>
                      {t('audit.token', { id: entry.token_id.slice(-8) })}
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}

/** The day is above. */
const clockOf = (at: string): string => at.slice(9).replace(/^(\d\d)(\d\d)(\d\d)$/, '$1:$2:$3');

function Details({ entry }: { readonly entry: AuditEntry }) {
  const words = detailsInWords(entry);
  return words === '' ? null : <span class="hint">{words}</span>;
}

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
