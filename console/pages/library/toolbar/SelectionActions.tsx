import { Button } from '../../../components/Button';
import { Menu } from '../../../components/Menu';
import { t } from '../../../core/i18n';
import type { Library } from '../library';
import type { ImageItem } from '../listing';

interface SelectionActionsProps {
  readonly actions: Library['actions'];
  readonly items: readonly ImageItem[];
  readonly trash: boolean;
}

/** The actions on the selected images. */
export function SelectionActions({ actions, items, trash }: SelectionActionsProps) {
  const { busy } = actions;
  if (trash) {
    return (
      <>
        <Button icon="restore" busy={busy} onClick={() => actions.restore(items)}>
          {t('action.restore')}
        </Button>
        <Button icon="trash" busy={busy} onClick={() => actions.ask({ what: 'deletion', items })}>
          {t('action.deleteNow')}
        </Button>
      </>
    );
  }
  return (
    <>
      <Button icon="link" busy={busy} onClick={() => actions.ask({ what: 'link', items })}>
        {t('action.link')}
      </Button>
      <Button icon="download" busy={busy} onClick={() => actions.download(items)}>
        {t('action.downloadZip')}
      </Button>
      <Button icon="move" busy={busy} onClick={() => actions.ask({ what: 'folder', items })}>
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
              act: () => actions.ask({ what: 'place', items }),
            },
            {
              label: t('picture.address'),
              icon: 'edit',
              act: () => actions.ask({ what: 'address', items }),
            },
            {
              label: t('picture.memo'),
              icon: 'plus',
              act: () => actions.ask({ what: 'memo', items }),
            },
            {
              label: t('field.custom'),
              icon: 'plus',
              act: () => actions.ask({ what: 'custom', items }),
            },
          ],
          [
            {
              label: t('action.markShared'),
              icon: 'share',
              act: () => actions.change(items, { is_shared: 'True' }),
            },
            {
              label: t('action.markNotShared'),
              icon: 'close',
              act: () => actions.change(items, { is_shared: 'False' }),
            },
          ],
        ]}
      />
      <Button icon="trash" busy={busy} onClick={() => actions.trash(items)}>
        {t('action.trash')}
      </Button>
    </>
  );
}
