import { Empty } from '../../components/Empty';
import { Progress } from '../../components/Progress';
import { size } from '../../core/amounts';
import { t } from '../../core/i18n';
import { Card } from '../../components/Card';
import type { StatusProps } from './status';

/** The platforms that store most, each as a share of the total. */
export function Storage({ status: { platforms, totals } }: StatusProps) {
  const ordered = platforms
    .filter((platform) => platform.platform !== null || platform.platforms > 0)
    .sort((a, b) => b.stored_mb - a.stored_mb)
    .sort((a, b) => Number(a.platform === null) - Number(b.platform === null));
  return (
    <Card title={t('overview.storage')}>
      {ordered.length === 0 && <Empty icon="platforms" title={t('platforms.none')} />}
      {ordered.length > 0 && <p class="hint">{t('overview.imagesAre')}</p>}
      <ul class="bars">
        {ordered.map(({ platform, platforms: count, images, stored_mb: stored }) => {
          const name = platform ?? t('overview.others', { count });
          return (
            <li key={name}>
              <p>
                <span>{name}</span>
                <span class="muted">
                  {t('overview.imagesOf', { count: images })} · {size(stored)}
                </span>
              </p>
              <Progress label={name} value={totals.stored_mb > 0 ? stored / totals.stored_mb : 0} />
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
