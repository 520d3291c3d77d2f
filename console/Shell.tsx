import { useEffect, useState } from 'preact/hooks';
import { Boundary } from './components/Boundary';
import { Button } from './components/Button';
import { Waiting } from './components/Waiting';
import { t } from './core/i18n';
import { lost } from './core/reach';
import { hrefOf, path, query } from './core/router';
import type { Session } from './core/session';
import { Outlet } from './Outlet';
import { Rail } from './Rail';

/** The frame of all pages: a rail beside them, or behind a button on narrow screens. */
export function Shell({ session }: { readonly session: Session }) {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path.value, query.value]);
  useEffect(() => {
    if (!open) return undefined;
    const close = ({ key }: KeyboardEvent): void => void (key === 'Escape' && setOpen(false));
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [open]);
  return (
    <div class="shell">
      <a class="skip" href="#page">
        {t('shell.skip')}
      </a>
      <header class="bar">
        <Button variant="quiet" icon="menu" iconOnly expanded={open} onClick={() => setOpen(!open)}>
          {t('shell.menu')}
        </Button>
        <a class="brand" href={hrefOf('/')}>
          imgstore
        </a>
      </header>
      {open && <div class="rail-veil" onClick={() => setOpen(false)} />}
      <Rail session={session} open={open} />
      <Waiting />
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
