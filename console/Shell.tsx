import { useEffect, useRef } from 'preact/hooks';
import { Boundary } from './components/Boundary';
import { Icon } from './components/Icon';
import { Waiting } from './components/Waiting';
import { t } from './core/i18n';
import { lost } from './core/reach';
import { hrefOf, path, query } from './core/router';
import type { Session } from './core/session';
import { useModule } from './core/use-module';
import { Outlet } from './Outlet';
import { Rail, railId } from './Rail';
import { Tray } from './Tray';

/** The frame of all pages: a rail beside them, or behind a button on narrow screens. */
export function Shell({ session }: { readonly session: Session }) {
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    const rail = document.getElementById(railId);
    if (rail?.matches(':popover-open')) rail.hidePopover();
  }, [path.value, query.value]);
  return (
    <div class="shell">
      <a
        class="skip"
        href="#page"
        // The URL stays: it is that of the page.
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t('shell.skip')}
      </a>
      <header class="bar">
        <button
          type="button"
          class="button quiet icon-only"
          popovertarget={railId}
          title={t('shell.menu')}
          aria-label={t('shell.menu')}
        >
          <Icon name="menu" />
        </button>
        <a class="brand" href={hrefOf('/')}>
          imgstore
        </a>
      </header>
      <Rail session={session} />
      <Waiting />
      <main ref={main} id="page" class="page" tabIndex={-1}>
        <Boundary>
          <Outlet session={session} />
        </Boundary>
      </main>
      {session.userId !== undefined && <BottomTabs owner={session.userId} />}
      <Tray />
      <p class={lost.value ? 'lost' : 'unseen'} role="status">
        {lost.value && t('shell.lost')}
      </p>
    </div>
  );
}

const loadTabs = () => import('./pages/library/Tabs');

function BottomTabs(props: { readonly owner: string }) {
  const { Component } = useModule(loadTabs);
  return Component ? <Component {...props} /> : null;
}
