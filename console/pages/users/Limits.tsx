import { ErrorNote } from '../../components/ErrorNote';
import { Icon } from '../../components/Icon';
import { Progress } from '../../components/Progress';
import { size, time } from '../../core/amounts';
import { call } from '../../core/api';
import { number, t } from '../../core/i18n';
import { session } from '../../core/session';
import { useRead } from '../../core/use-read';

interface Limited {
  readonly name: string;
  readonly used: number;
  readonly max: number | null;
  readonly text: (value: number) => string;
}

/** What all users of a platform store together, and their limits. */
export function Limits({ platform, turn }: { readonly platform: string; readonly turn: number }) {
  const { data, problem, again } = useRead(
    (signal) =>
      call((client) =>
        client.GET('/api/v1/platforms/{platform_id}/limits', {
          params: { path: { platform_id: platform } },
          signal,
        }),
      ),
    [platform, turn],
  );
  if (!data) return <ErrorNote problem={problem} onRetry={again} />;
  const limited: Limited[] = [
    { name: t('users.storage'), used: data.used_storage_mb, max: data.max_storage_mb, text: size },
    { name: t('users.imagesInAll'), used: data.image_count, max: data.max_images, text: number },
    { name: t('users.title'), used: data.user_count, max: data.max_users, text: number },
  ];
  return (
    <>
      {data.suspended_at !== null && (
        <p class="suspended">
          <Icon name="warning" />
          {t('users.platformSuspended', { since: time(data.suspended_at) })}
        </p>
      )}
      <dl class="limits">
        {limited.map(({ name, used, max, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {max === null ? text(used) : t('users.used', { used: text(used), max: text(max) })}
              {max !== null && <Progress label={name} value={max > 0 ? used / max : 1} fills />}
            </dd>
          </div>
        ))}
      </dl>
      {session.value?.scope === 'admin' && (
        <OnServer id={platform} suspended={data.suspended_at !== null} />
      )}
    </>
  );
}

/** Commands for what the API has no operation for, ready to be copied. */
function OnServer({ id, suspended }: { readonly id: string; readonly suspended: boolean }) {
  return (
    <p class="hint on-server">
      {t('users.onServer')}
      <code>imgstore platform limit {id}</code>
      <code>
        imgstore platform {suspended ? 'resume' : 'suspend'} {id}
      </code>
    </p>
  );
}
