import { signal } from '@preact/signals';
import { Button } from './components/Button';
import { Progress } from './components/Progress';
import { activities } from './core/activity';
import type { Activity } from './core/activity';
import { t } from './core/i18n';

const isSmall = signal(false);

/** What goes on over all pages, in full or as one line. */
export function Tray() {
  const shown = activities.value.filter(({ summary }) => summary() !== undefined);
  if (shown.length === 0) return null;
  const small = isSmall.value;
  return (
    <aside class="tray" aria-label={t('tray.title')}>
      <header>
        {small ? (
          <p role="status">{shown.map(({ summary }) => summary()).join(' · ')}</p>
        ) : (
          <p>{t('tray.title')}</p>
        )}
        <Button
          variant="quiet"
          icon={small ? 'up' : 'down'}
          iconOnly
          expanded={!small}
          onClick={() => (isSmall.value = !small)}
        >
          {t(small ? 'tray.open' : 'tray.minimize')}
        </Button>
      </header>
      {shown.map((activity, n) =>
        small ? <Share key={n} activity={activity} /> : <activity.Details key={n} />,
      )}
    </aside>
  );
}

/** Drawn anew by itself, whenever a part of a file has been sent. */
function Share({ activity: { summary, share } }: { readonly activity: Activity }) {
  const value = share();
  return value === undefined ? null : <Progress label={summary() ?? ''} value={value} />;
}
