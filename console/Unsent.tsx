import { useState } from 'preact/hooks';
import { Button } from './components/Button';
import { Icon } from './components/Icon';
import { t } from './core/i18n';
import { dropUnsent, unsent } from './core/unsent';
import type { Unfinished } from './core/unsent';

/** Files that are named one by one. */
const named = 5;

/** The files that were not uploaded before the session ended. */
export function Unsent() {
  const [left, setLeft] = useState(unsent);
  if (left.length === 0) return null;
  const drop = (): void => {
    dropUnsent();
    setLeft([]);
  };
  return (
    <section class="note" aria-label={t('upload.title')}>
      <Icon name="warning" />
      <div>
        <UnsentNames left={left} />
        <p>{t('unsent.goOn')}</p>
      </div>
      <Button onClick={drop}>{t('unsent.drop')}</Button>
    </section>
  );
}

/** How many there are, and what the first are called. */
export function UnsentNames({ left }: { readonly left: readonly Unfinished[] }) {
  const more = left.length - named;
  return (
    <>
      <p class="note-title">{t('unsent.count', { count: left.length })}</p>
      <ul class="unsent-names">
        {left.slice(0, named).map(({ key, name }) => (
          <li key={key}>{name}</li>
        ))}
        {more > 0 && <li>{t('upload.more', { count: more })}</li>}
      </ul>
    </>
  );
}
