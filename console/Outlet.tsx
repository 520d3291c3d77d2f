import { useEffect } from 'preact/hooks';
import { Empty } from './components/Empty';
import { ErrorNote } from './components/ErrorNote';
import { t } from './core/i18n';
import { go, hrefOf, path } from './core/router';
import type { Session } from './core/session';
import { useModule } from './core/use-module';
import { pageAt, pagesOf } from './pages';
import type { Page } from './pages';

/** The page at the current URL, if the token may see it. */
export function Outlet({ session }: { readonly session: Session }) {
  const [first] = pagesOf(session.scope);
  const found = pageAt(path.value);
  const page = found?.page.scopes.includes(session.scope) ? found.page : undefined;
  useEffect(() => {
    if (path.value === '/' && first) go(first.path, { replace: true });
  }, [path.value, first]);
  useEffect(() => {
    document.title = page ? `${t(page.title)} – imgstore` : 'imgstore';
  });
  const { Component, problem } = useModule(page?.load);
  if (!page) return path.value === '/' && first ? null : <NotHere to={first} />;
  if (problem !== undefined)
    return <ErrorNote problem={problem} onRetry={() => location.reload()} />;
  if (!Component) return null;
  return <Component key={page.stays ? page.path : path.value} params={found?.params ?? {}} />;
}

function NotHere({ to }: { readonly to: Page | undefined }) {
  return (
    <Empty icon="search" title={t('shell.nothing')}>
      {to && <a href={hrefOf(to.path)}>{t(to.title)}</a>}
    </Empty>
  );
}
