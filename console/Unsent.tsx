import { useState } from 'preact/hooks';
import { Button } from './components/Button';
import { Icon } from './components/Icon';
import { t } from './core/i18n';
import { dropUnsent, unsent } from './core/unsent';

/** Files that are named one by one. */
const named = 5;

/** The files that were not uploaded before the session ended. */
export function Unsent() {
  const [names, setNames] = useState(unsent);
  if (names.length === 0) return null;
  const more = names.length - named;
  const drop = (): void => {
    dropUnsent();
    setNames([]);
  };
  return (
    <section class="note" aria-label={t('upload.title')}>
      <Icon name="warning" />
      <div>
        <p class="note-title">{t('unsent.count', { count: names.length })}</p>
        <ul class="unsent-names">
          {names.slice(0, named).map((name, index) => (
            <li key={index}>{name}</li>
          ))}
          {more > 0 && <li>{t('upload.more', { count: more })}</li>}
        </ul>
        <p>{t('unsent.goOn')}</p>
      </div>
      <Button onClick={drop}>{t('unsent.drop')}</Button>
    </section>
  );
}
