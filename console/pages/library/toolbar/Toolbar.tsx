import { Button } from '../../../components/Button';
import { Menu } from '../../../components/Menu';
import { t } from '../../../core/i18n';
import { chooseTileSize, grouping, look, tileSize, tileSizes } from '../../../core/looks';
import { groupingOf, hasFolders } from '../by-folder';
import { LedgerButton } from '../ledger/Ledger';
import type { Library, ViewState } from '../library';
import { filtersOf } from '../listing';
import { root } from '../tree/tree';
import { allImages, filtersIn, sorts } from '../view';
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
export function Toolbar({ library, view, state, onShow }: ToolbarProps) {
  const { selection } = state;
  const { actions } = library;
  const count = selection.chosen.value.size;
  const any = count > 0;
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
          {any && t('library.selected', { count })}
          {selection.isReading.value && ` ${t('library.selecting')}`}
        </p>
        {any && !view.trash && (
          <LedgerButton
            access={library.access}
            ids={selection.ids}
            thumbOf={(id) => state.images.get(id)?.thumb_url ?? undefined}
          />
        )}
        {any ? (
          <SelectionActions actions={actions} state={state} />
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
            const { folder, below, trash, sort } = view;
            onShow({ ...allImages, folder, below, trash, sort });
          }}
        >
          {t('library.showAll')}
        </Button>
      )}
      {look.chosen.value === 'tiles' && <SizeSlider />}
      <ViewMenu library={library} view={view} onShow={onShow} />
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

/** The order of a list, what it is named by, and all of it as a file. */
function ViewMenu({ library, view, onShow }: Omit<ToolbarProps, 'state'>) {
  const groupings = grouping.values.filter((by) => by !== 'folder' || hasFolders(view));
  return (
    <Menu
      label={t('library.view')}
      icon="more"
      groups={[
        sorts.map((sort) => ({
          label: t(`sort.${sort}`),
          chosen: sort === view.sort,
          act: () => onShow({ ...view, sort }),
        })),
        groupings.map((by) => ({
          label: t(`group.${by}`),
          chosen: by === groupingOf(view),
          act: () => grouping.choose(by),
        })),
        look.values.map((as) => ({
          label: t(`look.${as}`),
          chosen: as === look.chosen.value,
          act: () => look.choose(as),
        })),
        [
          {
            label: t('library.downloadAll'),
            icon: 'download',
            act: () => library.actions.download(filtersOf(view)),
          },
        ],
      ]}
    />
  );
}
