import { useEffect, useState } from 'preact/hooks';
import { Account } from './Account';
import { Boundary } from './components/Boundary';
import { Button } from './components/Button';
import { Icon } from './components/Icon';
import { t } from './core/i18n';
import { lost } from './core/reach';
import { hrefOf, path } from './core/router';
import type { Session } from './core/session';
import { Outlet } from './Outlet';
import { pageAt, pagesOf } from './pages';
import { Preferences } from './Preferences';

/** The frame of all pages: the menu beside them, or behind a button on narrow screens. */
export function Shell({ session }: { readonly session: Session }) {
  const [open, setOpen] = useState(false);
  const here = pageAt(path.value)?.page;
  useEffect(() => setOpen(false), [path.value]);
  return (
    <div class="shell">
      <a class="skip" href="#page">
        {t('shell.skip')}
      </a>
      <header class="bar">
        <div class="bar-menu">
          <Button variant="quiet" icon="menu" iconOnly onClick={() => setOpen(!open)}>
            {t('shell.menu')}
          </Button>
        </div>
        <a class="brand" href={hrefOf('/')}>
          imgstore
        </a>
        <div class="bar-end">
          <Account session={session} />
          <Preferences />
        </div>
      </header>
      <nav class={open ? 'side open' : 'side'} aria-label={t('shell.pages')}>
        {pagesOf(session.scope).map(
          ({ path: to, title, icon }) =>
            icon && (
              <a
                key={to}
                href={hrefOf(to)}
                aria-current={here && isBelow(here.path, to) ? 'page' : undefined}
              >
                <Icon name={icon} />
                <span>{t(title)}</span>
              </a>
            ),
        )}
      </nav>
      <main id="page" class="page" tabIndex={-1}>
        <Boundary>
          <Outlet session={session} />
        </Boundary>
      </main>
      <p class={lost.value ? 'lost' : 'unseen'} role="status">
        {lost.value && t('shell.lost')}
      </p>
    </div>
  );
}

const isBelow = (path: string, of: string): boolean => path === of || path.startsWith(`${of}/`);
