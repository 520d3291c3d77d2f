import { Button } from '../../../components/Button';
import { t } from '../../../core/i18n';
import { chooseTileSize, tileSize, tileSizes } from '../../../core/tile-size';
import type { Library, ViewState } from '../library';
import { maxSelected } from '../selection';
import { root } from '../tree/tree';
import { allImages, filtersIn } from '../view';
import type { View } from '../view';
import { Filters } from './Filters';
import { Search } from './Search';
import { SelectionActions } from './SelectionActions';
import { UploadMenu } from './UploadMenu';
import './toolbar.css';

interface ToolbarProps {
  readonly library: Library;
  readonly view: View;
  readonly state: ViewState;
  readonly onShow: (view: View) => void;
}

/** Search, filters, and what adds something; or what can be done with the selection. */
export function Toolbar({ library, view, state: { selection }, onShow }: ToolbarProps) {
  const items = [...selection.items.value.values()];
  const any = items.length > 0;
  return (
    <div class="toolbar-frame">
      <div
        class={any ? 'toolbar selection' : 'toolbar'}
        role={any ? 'toolbar' : undefined}
        aria-label={any ? t('library.selection') : undefined}
      >
        {any && (
          <Button variant="quiet" icon="close" iconOnly onClick={() => selection.clear()}>
            {t('library.selectNone')}
          </Button>
        )}
        <p key="status" role="status">
          {any && t('library.selected', { count: items.length })}
          {items.length >= maxSelected && ` ${t('library.mostSelected')}`}
        </p>
        {any ? (
          <SelectionActions actions={library.actions} items={items} trash={view.trash} />
        ) : (
          <Tools library={library} view={view} onShow={onShow} />
        )}
      </div>
    </div>
  );
}

function Tools({ library, view, onShow }: Omit<ToolbarProps, 'state'>) {
  const narrowed = view.search !== '' || filtersIn(view) > 0;
  return (
    <>
      <Search key={`${view.folder} ${view.searchIn} ${view.search}`} view={view} onShow={onShow} />
      <Filters access={library.access} view={view} onShow={onShow} />
      {narrowed && (
        <Button
          variant="quiet"
          icon="close"
          iconOnly
          onClick={() => {
            const { folder, below, trash } = view;
            onShow({ ...allImages, folder, below, trash });
          }}
        >
          {t('library.showAll')}
        </Button>
      )}
      <SizeSlider />
      {view.trash ? (
        <Button icon="trash" onClick={() => library.actions.ask({ what: 'emptying' })}>
          {t('library.emptyTrash')}
        </Button>
      ) : (
        <UploadMenu library={library} into={view.folder ?? root} />
      )}
    </>
  );
}

/** How large pictures are; remembered in this browser. */
function SizeSlider() {
  return (
    <input
      class="size-slider"
      type="range"
      {...tileSizes}
      value={tileSize.value}
      aria-label={t('library.tileSize')}
      title={t('library.tileSize')}
      onInput={({ currentTarget }) => chooseTileSize(Number(currentTarget.value))}
    />
  );
}
