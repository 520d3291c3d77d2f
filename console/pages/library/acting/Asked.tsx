import { ConfirmDialog } from '../../../components/ConfirmDialog';
import { t } from '../../../core/i18n';
import { LinkDialog } from '../../links/LinkDialog';
import type { Link } from '../../links/requests';
import { EmptyDialog } from '../trash/EmptyDialog';
import type { Library } from '../library';
import { AddressDialog } from './AddressDialog';
import { MoveDialog } from './MoveDialog';
import { NameDialog } from './NameDialog';
import { CustomDialog, MemoDialog } from './NoteDialogs';
import { PlaceDialog } from './PlaceDialog';

/** The dialog of an action that asks for something. */
export function Asked({ library }: { readonly library: Library }) {
  const { access, actions, tree } = library;
  const asking = actions.asking.value;
  if (!asking) return null;
  const onClose = (): void => void (actions.asking.value = undefined);
  if (asking.what === 'name') {
    const title = 'folder' in asking ? asking.folder.title : undefined;
    return (
      <NameDialog title={title} onClose={onClose} onName={(next) => actions.name(asking, next)} />
    );
  }
  if (asking.what === 'emptying') {
    return <EmptyDialog library={library} onClose={onClose} />;
  }
  const { items } = asking;
  const common = { count: items.length, onClose };
  switch (asking.what) {
    case 'folder': {
      const choose = (id: string): void => {
        onClose();
        actions.move(items, id);
      };
      return <MoveDialog {...common} tree={tree} onChoose={choose} />;
    }
    case 'deletion': {
      const { after } = asking;
      return (
        <ConfirmDialog
          title={t('library.deleteNowTitle', { count: items.length })}
          text={t('library.deleteNowText')}
          label={t('action.deleteNow')}
          act={() => {
            onClose();
            actions.deleteNow(items, after);
            return Promise.resolve();
          }}
          onClose={onClose}
        />
      );
    }
    case 'place':
      return (
        <PlaceDialog
          items={items}
          onClose={onClose}
          onSave={(place) => actions.change(items, place)}
        />
      );
    case 'address':
      return <AddressDialog {...common} onSave={(changes) => actions.change(items, changes)} />;
    case 'memo':
      return <MemoDialog {...common} onSave={(message) => actions.addMemo(items, message)} />;
    case 'link': {
      const close = (made?: Link): void => {
        onClose();
        if (made) actions.linked(made);
      };
      return <LinkDialog access={access} items={items} onClose={close} />;
    }
    case 'custom':
      return <CustomDialog {...common} onSave={(custom) => actions.addCustom(items, custom)} />;
  }
}
