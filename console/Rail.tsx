import { Account } from './Account';
import { Boundary } from './components/Boundary';
import { RailLink } from './components/RailLink';
import { t } from './core/i18n';
import { hrefOf, path, query } from './core/router';
import type { Session } from './core/session';
import { useModule } from './core/use-module';
import { pageAt, pagesOf } from './pages';
import { Preferences } from './Preferences';

export const railId = 'rail';

/** Where a reader can go: pages, the places of an open library, and the account. */
export function Rail({ session }: { readonly session: Session }) {
  const here = pageAt(path.value);
  const owner = session.userId ?? here?.params.user;
  return (
    // On narrow screens, a button opens it.
    <aside id={railId} class="rail" popover="auto">
      <a class="brand" href={hrefOf('/')}>
        imgstore
      </a>
      <div class="rail-places">
        <nav aria-label={t('shell.pages')}>
          {pagesOf(session.scope).map(
            ({ path: to, title, icon }) =>
              icon && (
                <RailLink key={to} to={to} icon={icon} current={isHere(here?.page.path, to)}>
                  {t(title)}
                </RailLink>
              ),
          )}
        </nav>
        {owner !== undefined && (
          <Boundary>
            <LibraryPart key={owner} owner={owner} isOwn={session.userId !== undefined} />
          </Boundary>
        )}
      </div>
      <footer class="rail-foot">
        <Account session={session} />
        <Preferences />
      </footer>
    </aside>
  );
}

/** Folders and the trash have entries of their own. */
function isHere(page: string | undefined, to: string): boolean {
  const words = new URLSearchParams(query.value);
  if (words.has('folder') || words.has('trash')) return false;
  return page !== undefined && (page === to || page.startsWith(`${to}/`));
}

interface LibraryPartProps {
  readonly owner: string;
  /** Whether the reader is the owner. */
  readonly isOwn: boolean;
}

/** Loaded with the first library. */
const loadLibraryPart = () => import('./pages/library/rail/LibraryRail');

function LibraryPart(props: LibraryPartProps) {
  const { Component } = useModule(loadLibraryPart);
  return Component ? <Component {...props} /> : null;
}
