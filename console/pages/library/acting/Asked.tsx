import { ConfirmDialog } from '../../../components/ConfirmDialog';
import { t } from '../../../core/i18n';
import { LinkDialog } from '../../links/LinkDialog';
import type { Link } from '../../links/requests';
import { addressNames } from '../actions';
import { EmptyDialog } from '../trash/EmptyDialog';
import type { Library } from '../library';
import { MoveDialog } from './MoveDialog';
import { PlaceDialog } from './PlaceDialog';
import { TextsDialog } from './TextsDialog';
import type { Text } from './TextsDialog';

const addressTexts = () =>
  Object.fromEntries(addressNames.map((name) => [name, { label: t(`field.${name}`) }])) as Record<
    (typeof addressNames)[number],
    Text
  >;

/** The dialog of an action that asks for something. */
export function Asked({ library }: { readonly library: Library }) {
  const { access, actions } = library;
  const asking = actions.asking.value;
  if (!asking) return null;
  const onClose = (): void => void (actions.asking.value = undefined);
  if (asking.what === 'name') {
    const title = 'folder' in asking ? asking.folder.title : '';
    return (
      <TextsDialog
        title={t('folder' in asking ? 'library.renameFolder' : 'library.newFolder')}
        texts={{ name: { label: t('library.folderName'), value: title, required: true } }}
        save={async ({ name }) => void (await actions.name(asking, name.trim()))}
        onClose={onClose}
      />
    );
  }
  if (asking.what === 'emptying') return <EmptyDialog library={library} onClose={onClose} />;
  if (asking.what === 'folder') {
    return <MoveDialog library={library} of={asking.of} onClose={onClose} />;
  }
  if (asking.what === 'link') {
    const close = (made?: Link): void => {
      onClose();
      if (made) actions.linked(made);
    };
    return <LinkDialog access={access} of={asking.of} onClose={close} />;
  }
  const { ids } = asking;
  const count = ids.length;
  switch (asking.what) {
    case 'deletion': {
      const { after } = asking;
      return (
        <ConfirmDialog
          title={t('library.deleteNowTitle', { count })}
          text={t('library.deleteNowText')}
          label={t('action.deleteNow')}
          act={async () => actions.deleteNow(ids, after)}
          onClose={onClose}
        />
      );
    }
    case 'place': {
      const save = (place: Parameters<typeof actions.change>[1]): void =>
        actions.change(ids, place);
      return <PlaceDialog count={count} start={asking.start} onSave={save} onClose={onClose} />;
    }
    case 'address':
      return (
        <TextsDialog
          title={t('library.addressOf', { count })}
          hint={t('library.emptyStays')}
          texts={addressTexts()}
          save={(texts) => {
            const given = Object.entries(texts).filter(([, text]) => text !== '');
            if (given.length > 0) actions.change(ids, Object.fromEntries(given));
          }}
          onClose={onClose}
        />
      );
    case 'memo':
      return (
        <TextsDialog
          title={t('library.memoFor', { count })}
          texts={{ message: { label: t('picture.memo'), required: true, isLong: true } }}
          label={t('action.add')}
          save={({ message }) => actions.addMemo(ids, message)}
          onClose={onClose}
        />
      );
    case 'custom':
      return (
        <TextsDialog
          title={t('library.customFor', { count })}
          texts={{
            key: { label: t('field.key'), required: true },
            value: { label: t('field.value'), required: true },
          }}
          label={t('action.add')}
          save={({ key, value }) =>
            actions.addCustom(ids, { key: key.trim(), value: value.trim() })
          }
          onClose={onClose}
        />
      );
  }
}
