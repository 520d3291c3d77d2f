import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { t } from '../core/i18n';
import { hrefOf, path, query } from '../core/router';
import { Button } from './Button';
import { Empty } from './Empty';

/** Keeps an error of the console in a part of it from emptying the whole page. */
export function Boundary({ children }: { readonly children: ComponentChildren }) {
  const [error, retry] = useErrorBoundary((thrown) => reportError(thrown)) as [unknown, () => void];
  // What failed at one URL may work at the next one.
  useEffect(() => retry, [path.value, query.value]);
  if (error === undefined) return <>{children}</>;
  return (
    <div role="alert">
      <Empty icon="warning" title={t('shell.broken')}>
        {error instanceof Error && <p>{error.message}</p>}
        <Button onClick={retry}>{t('action.retry')}</Button>
        <a href={hrefOf('/')}>{t('shell.start')}</a>
      </Empty>
    </div>
  );
}
