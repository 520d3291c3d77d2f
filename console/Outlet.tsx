import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Empty } from './components/Empty';
import { ErrorNote } from './components/ErrorNote';
import { t } from './core/i18n';
import { Problem } from './core/problem';
import { go, hrefOf, path } from './core/router';
import type { PageProps } from './core/router';
import type { Session } from './core/session';
import { pageAt, pagesOf } from './pages';
import type { Page } from './pages';

interface Loaded {
  readonly page: Page;
  readonly Component?: ComponentType<PageProps>;
  readonly problem?: unknown;
}

/** A file of the console that the server no longer has, or that did not arrive. */
const notLoaded = (cause: unknown): Problem => new Problem('page_not_loaded', String(cause));

/** The page at the current URL, if the token may see it. */
export function Outlet({ session }: { readonly session: Session }) {
  const [loaded, setLoaded] = useState<Loaded>();
  const [first] = pagesOf(session.scope);
  const found = pageAt(path.value);
  const page = found?.page.scopes.includes(session.scope) ? found.page : undefined;
  useEffect(() => {
    if (path.value === '/' && first) go(first.path, { replace: true });
  }, [path.value, first]);
  useEffect(() => {
    let left = false;
    page?.load().then(
      ({ default: Component }) => left || setLoaded({ page, Component }),
      (cause: unknown) => left || setLoaded({ page, problem: notLoaded(cause) }),
    );
    return () => void (left = true);
  }, [page]);
  useEffect(() => {
    document.title = page ? `${t(page.title)} – imgstore` : 'imgstore';
  });
  if (!page) return path.value === '/' && first ? null : <NotHere to={first} />;
  if (loaded?.page !== page) return null;
  const { Component, problem } = loaded;
  if (!Component) return <ErrorNote problem={problem} onRetry={() => location.reload()} />;
  return <Component key={page.stays ? page.path : path.value} params={found?.params ?? {}} />;
}

function NotHere({ to }: { readonly to: Page | undefined }) {
  return (
    <Empty icon="search" title={t('shell.nothing')}>
      {to && <a href={hrefOf(to.path)}>{t(to.title)}</a>}
    </Empty>
  );
}
