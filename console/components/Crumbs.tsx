import { t } from '../core/i18n';
import { hrefOf } from '../core/router';

interface CrumbsProps {
  /** From the outermost page to this one, which has no path. */
  readonly path: readonly { readonly name: string; readonly to?: string }[];
}

/** Where a page stands, with the names of what it belongs to. */
export function Crumbs({ path }: CrumbsProps) {
  return (
    <nav aria-label={t('shell.path')}>
      <ol class="crumbs">
        {path.map(({ name, to }) => (
          <li key={`${to} ${name}`}>
            {to === undefined ? (
              <span aria-current="page">{name}</span>
            ) : (
              <a href={hrefOf(to)}>{name}</a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
