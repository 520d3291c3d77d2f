import { Card } from '../../components/Card';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { Figure } from '../../components/Figure';
import { Icon } from '../../components/Icon';
import { OnServer } from '../../components/OnServer';
import { Progress } from '../../components/Progress';
import { size } from '../../core/amounts';
import { call } from '../../core/api';
import { number, t } from '../../core/i18n';
import type { PlainKey } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import { useRead } from '../../core/use-read';
import { Uploads } from './Uploads';
import type { StatusProps } from './Uploads';
import { Installation, Upkeep } from './Upkeep';
import './overview.css';

/** Refresh interval; the server caches a status for five seconds. */
const againMs = 15_000;

export default function Overview() {
  const { data, problem, again } = useRead(
    (signal) => call((client) => client.GET('/api/v1/status', { signal })),
    [],
    againMs,
  );
  return (
    <>
      <h1>{t('overview.title')}</h1>
      <ErrorNote problem={problem} onRetry={again} />
      {data && (
        <div class="overview">
          <Health status={data} />
          <Totals status={data} />
          <div class="columns">
            <div class="span-8">
              <OverQuota status={data} />
              <Uploads days={data.days} />
              <Storage status={data} />
            </div>
            <div class="span-4">
              <Upkeep status={data} />
              <Installation status={data} />
            </div>
          </div>
          <OnServer
            commands={[
              [t('onServer.sessions'), 'session list'],
              [t('onServer.endSession'), 'session end SESSION_ID'],
            ]}
          />
        </div>
      )}
    </>
  );
}

/** The parts that /readyz names; one that the console does not know is shown with that name. */
const parts = new Map<string, PlainKey>([
  ['database', 'part.database'],
  ['migrations', 'part.migrations'],
  ['store', 'part.store'],
  ['disk', 'part.disk'],
  ['imaging', 'part.imaging'],
]);

/** Whether everything works, on one line where it fits. */
function Health({ status: { parts: states, differences } }: StatusProps) {
  const down = Object.values(states).includes('down');
  return (
    <section class={down ? 'health down' : 'health'} aria-label={t('overview.health')}>
      <p class={down ? 'verdict bad' : 'verdict good'}>
        <Icon name={down ? 'warning' : 'check'} />
        {t(down ? 'overview.down' : 'overview.ready')}
      </p>
      <ul>
        {Object.entries(states).map(([part, state]) => {
          const [works, key] = [state === 'ok', parts.get(part)];
          return (
            <li key={part} class={works ? 'good' : 'bad'}>
              <Icon name={works ? 'check' : 'warning'} />
              {key ? t(key) : part}
              <span class="unseen">{t(works ? 'overview.works' : 'overview.fails')}</span>
            </li>
          );
        })}
      </ul>
      {differences > 0 && <p class="bad">{t('overview.differences', { count: differences })}</p>}
    </section>
  );
}

const Totals = ({ status: { totals } }: StatusProps) => (
  <dl class="figures">
    <Figure label={t('overview.images')} value={number(totals.images)} />
    <Figure label={t('overview.stored')} value={size(totals.stored_mb)} />
    <Figure label={t('overview.users')} value={number(totals.users)} />
    <Figure label={t('overview.platforms')} value={number(totals.platforms)} />
  </dl>
);

/** Users who can store nothing more, until there is a larger quota or less stored. */
function OverQuota({ status: { over_quota: full } }: StatusProps) {
  if (full.count === 0) return null;
  return (
    <Card title={t('overview.overQuota', { count: full.count })}>
      <ul class="bars">
        {full.users.map((user) => (
          <Bar
            key={user.user_id}
            name={user.platform_user_id}
            to={`/platforms/${user.platform_id}/users/${user.user_id}`}
            about={`${user.platform} · ${t('users.used', {
              used: size(user.used_storage_mb),
              max: size(user.max_storage_mb),
            })}`}
            share={1}
            fills
          />
        ))}
      </ul>
      {full.count > full.users.length && (
        <p class="hint">{t('userLinks.more', { count: full.count - full.users.length })}</p>
      )}
    </Card>
  );
}

/** The platforms that store most, each as a share of the total. */
function Storage({ status: { platforms, totals } }: StatusProps) {
  const ordered = platforms
    .filter((platform) => platform.platform !== null || platform.platforms > 0)
    .sort((a, b) => b.stored_mb - a.stored_mb)
    .sort((a, b) => Number(a.platform === null) - Number(b.platform === null));
  return (
    <Card title={t('overview.storage')}>
      {ordered.length === 0 && <Empty icon="platforms" title={t('platforms.none')} />}
      {ordered.length > 0 && <p class="hint">{t('overview.imagesAre')}</p>}
      <ul class="bars">
        {ordered.map(
          ({ platform_id: id, platform, platforms: count, images, stored_mb: stored }) => (
            <Bar
              key={id ?? ''}
              name={platform ?? t('overview.others', { count })}
              to={id === null ? undefined : `/platforms/${id}`}
              about={`${t('library.imageCount', { count: images })} · ${size(stored)}`}
              share={totals.stored_mb > 0 ? stored / totals.stored_mb : 0}
            />
          ),
        )}
      </ul>
    </Card>
  );
}

interface BarProps {
  readonly name: string;
  readonly to: string | undefined;
  readonly about: string;
  /** From 0 to 1. */
  readonly share: number;
  readonly fills?: boolean;
}

const Bar = ({ name, to, about, share, fills = false }: BarProps) => (
  <li>
    <p>
      {to === undefined ? <span>{name}</span> : <a href={hrefOf(to)}>{name}</a>}
      <span class="muted">{about}</span>
    </p>
    <Progress label={name} value={share} fills={fills} />
  </li>
);
