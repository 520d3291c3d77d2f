import { Button } from '../../../components/Button';
import { Menu } from '../../../components/Menu';
import { t } from '../../../core/i18n';
import { archiveOf } from '../actions';
import type { Place } from '../actions';
import type { Library, ViewState } from '../library';

interface SelectionActionsProps {
  readonly actions: Library['actions'];
  readonly state: ViewState;
}

/** The actions on the selected images. */
export function SelectionActions({ actions, state }: SelectionActionsProps) {
  const { ids } = state.selection;
  const of = { images: ids };
  const { busy } = actions;
  if (state.view.trash) {
    return (
      <>
        <Button icon="restore" busy={busy} onClick={() => actions.restore(of)}>
          {t('action.restore')}
        </Button>
        <Button icon="trash" busy={busy} onClick={() => actions.ask({ what: 'deletion', ids })}>
          {t('action.deleteNow')}
        </Button>
      </>
    );
  }
  return (
    <>
      <Button icon="link" busy={busy} onClick={() => actions.ask({ what: 'link', of })}>
        {t('action.link')}
      </Button>
      <Button icon="download" busy={busy} onClick={() => actions.download(archiveOf(of))}>
        {t('action.downloadZip')}
      </Button>
      <Button icon="move" busy={busy} onClick={() => actions.ask({ what: 'folder', of })}>
        {t('action.move')}
      </Button>
      <Menu
        label={t('action.describe')}
        text={t('action.describe')}
        icon="edit"
        groups={[
          [
            {
              label: t('field.place'),
              icon: 'map',
              act: () => actions.ask({ what: 'place', ids, start: placeIn(state) }),
            },
            {
              label: t('picture.address'),
              icon: 'edit',
              act: () => actions.ask({ what: 'address', ids }),
            },
            {
              label: t('picture.memo'),
              icon: 'plus',
              act: () => actions.ask({ what: 'memo', ids }),
            },
            {
              label: t('field.custom'),
              icon: 'plus',
              act: () => actions.ask({ what: 'custom', ids }),
            },
          ],
          [
            {
              label: t('action.markShared'),
              icon: 'share',
              act: () => actions.change(ids, { is_shared: 'True' }),
            },
            {
              label: t('action.markNotShared'),
              icon: 'close',
              act: () => actions.change(ids, { is_shared: 'False' }),
            },
          ],
        ]}
      />
      <Button icon="trash" busy={busy} onClick={() => actions.trash(of)}>
        {t('action.trash')}
      </Button>
    </>
  );
}

/** Where the first of the selected images is that is anywhere. */
function placeIn({ images, selection }: ViewState): Place | undefined {
  for (const id of selection.ids) {
    const { lat = null, lng = null } = images.get(id) ?? {};
    if (lat !== null && lng !== null) return { latitude: lat, longitude: lng };
  }
  return undefined;
}
