import { Button } from '../../components/Button';
import { t } from '../../core/i18n';
import type { Library, ViewState } from './library';
import { maxSelected } from './selection';

interface SelectionBarProps {
  readonly state: ViewState;
  readonly trash: boolean;
  readonly actions: Library['actions'];
}

/** The actions on the selected items. */
export function SelectionBar({ state: { selection }, trash, actions }: SelectionBarProps) {
  const items = [...selection.items.value.values()];
  if (items.length === 0) return null;
  return (
    <div class="selection" role="toolbar" aria-label={t('library.selection')}>
      <p role="status">
        {t('library.selected', { count: items.length })}
        {items.length >= maxSelected && ` ${t('library.mostSelected')}`}
      </p>
      {trash ? (
        <Button icon="restore" busy={actions.busy} onClick={() => actions.restore(items)}>
          {t('action.restore')}
        </Button>
      ) : (
        <>
          <Button icon="download" busy={actions.busy} onClick={() => actions.download(items)}>
            {t('action.downloadZip')}
          </Button>
          <Button icon="move" busy={actions.busy} onClick={() => actions.choosePlace(items)}>
            {t('action.move')}
          </Button>
          <Button icon="trash" busy={actions.busy} onClick={() => actions.trash(items)}>
            {t('action.trash')}
          </Button>
        </>
      )}
      <Button variant="quiet" icon="close" iconOnly onClick={() => selection.clear()}>
        {t('library.selectNone')}
      </Button>
    </div>
  );
}
