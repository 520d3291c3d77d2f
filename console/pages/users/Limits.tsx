import { Copyable } from '../../components/Copyable';
import { Figure } from '../../components/Figure';
import { Icon } from '../../components/Icon';
import { Progress } from '../../components/Progress';
import { size, time } from '../../core/amounts';
import { number, t } from '../../core/i18n';
import type { PlatformLimits } from './accounts';

interface Limited {
  readonly label: string;
  readonly used: number;
  readonly max: number | null;
  readonly text: (value: number) => string;
}

interface LimitsProps {
  readonly platform: string;
  readonly limits: PlatformLimits;
}

/** What all users of a platform store together, and their limits. */
export function Limits({ platform, limits }: LimitsProps) {
  const limited: Limited[] = [
    {
      label: t('users.storage'),
      used: limits.used_storage_mb,
      max: limits.max_storage_mb,
      text: size,
    },
    {
      label: t('users.imagesInAll'),
      used: limits.image_count,
      max: limits.max_images,
      text: number,
    },
    { label: t('users.title'), used: limits.user_count, max: limits.max_users, text: number },
  ];
  return (
    <>
      {limits.suspended_at !== null && (
        <p class="suspended">
          <Icon name="warning" />
          {t('users.platformSuspended', { since: time(limits.suspended_at) })}
        </p>
      )}
      <dl class="figures">
        {limited.map(({ label, used, max, text }) => (
          <Figure key={label} label={label} value={text(used)}>
            <span>{max === null ? t('users.noLimit') : t('users.limit', { max: text(max) })}</span>
            {max !== null && <Progress label={label} value={max > 0 ? used / max : 1} fills />}
          </Figure>
        ))}
        <div class="figure">
          <dt>{t('platforms.id')}</dt>
          <dd>
            <Copyable name={t('platforms.id')} value={platform} />
          </dd>
        </div>
      </dl>
    </>
  );
}
