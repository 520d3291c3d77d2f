import { Icon } from '../../components/Icon';
import { t } from '../../core/i18n';
import type { PlainKey } from '../../core/i18n';
import type { StatusProps } from './status';

/** The parts that /readyz names; one that the console does not know is shown with that name. */
const names = new Map<string, PlainKey>([
  ['database', 'part.database'],
  ['migrations', 'part.migrations'],
  ['store', 'part.store'],
  ['disk', 'part.disk'],
  ['imaging', 'part.imaging'],
]);

/** Whether everything works, on one line where it fits. */
export function Health({ status: { parts, differences } }: StatusProps) {
  const down = Object.values(parts).includes('down');
  return (
    <section class={down ? 'health down' : 'health'} aria-label={t('overview.health')}>
      <p class={down ? 'verdict bad' : 'verdict good'}>
        <Icon name={down ? 'warning' : 'check'} />
        {t(down ? 'overview.down' : 'overview.ready')}
      </p>
      <ul>
        {Object.entries(parts).map(([part, state]) => (
          <Part key={part} part={part} works={state === 'ok'} />
        ))}
      </ul>
      {differences > 0 && <p class="bad">{t('overview.differences', { count: differences })}</p>}
    </section>
  );
}

function Part({ part, works }: { readonly part: string; readonly works: boolean }) {
  const key = names.get(part);
  return (
    <li class={works ? 'good' : 'bad'}>
      <Icon name={works ? 'check' : 'warning'} />
      {key ? t(key) : part}
      <span class="unseen">{t(works ? 'overview.works' : 'overview.fails')}</span>
    </li>
  );
}
