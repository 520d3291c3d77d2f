import { useState } from 'preact/hooks';
import { Icon } from '../../../components/Icon';
import { t } from '../../../core/i18n';
import { searchTypes } from '../view';
import type { SearchType, View } from '../view';

interface SearchProps {
  readonly view: View;
  readonly onShow: (view: View) => void;
}

/** One field: what to search for, and where. */
export function Search({ view, onShow }: SearchProps) {
  const [search, setSearch] = useState(view.search);
  const show = (searchIn: SearchType): void => onShow({ ...view, search: search.trim(), searchIn });
  const label = t(view.folder === undefined ? 'library.search' : 'library.searchFolder');
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        show(view.searchIn);
      }}
    >
      <button type="submit" class="search-submit" aria-label={t('action.search')}>
        <Icon name="search" />
      </button>
      <input
        type="search"
        aria-label={label}
        placeholder={view.folder === undefined ? label : t('action.search')}
        autoComplete="off"
        value={search}
        onInput={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      {view.folder !== undefined && (
        <button
          type="button"
          class="chip active"
          title={t('library.searchAll')}
          aria-label={t('library.searchAll')}
          onClick={() =>
            onShow({ ...view, folder: undefined, below: false, search: search.trim() })
          }
        >
          <span>{t('library.thisFolder')}</span>
          <Icon name="close" />
        </button>
      )}
      <select
        aria-label={t('library.searchIn')}
        value={view.searchIn}
        onChange={({ currentTarget: { value } }) =>
          show(searchTypes.find((type) => type === value) ?? 'all')
        }
      >
        {searchTypes.map((type) => (
          <option key={type} value={type}>
            {t(`searchIn.${type}`)}
          </option>
        ))}
      </select>
    </form>
  );
}
