import { useState } from 'preact/hooks';
import { Dialog } from '../../../components/Dialog';
import { Field } from '../../../components/Field';
import { SaveForm } from '../../../components/SaveForm';
import { t } from '../../../core/i18n';
import { addressNames } from '../actions';
import type { Changes } from '../actions';

interface AddressDialogProps {
  readonly count: number;
  readonly onClose: () => void;
  readonly onSave: (changes: Changes) => void;
}

/** The same address for several images: only fields that are filled in are changed. */
export function AddressDialog({ count, onClose, onSave }: AddressDialogProps) {
  const [texts, setTexts] = useState<Changes>({});
  const save = (): Promise<void> => {
    onClose();
    const given = Object.entries(texts).filter(([, text]) => text !== '');
    if (given.length > 0) onSave(Object.fromEntries(given));
    return Promise.resolve();
  };
  return (
    <Dialog title={t('library.addressOf', { count })} onClose={onClose}>
      <SaveForm save={save} onCancel={onClose}>
        <p class="hint">{t('library.emptyStays')}</p>
        {addressNames.map((name, index) => (
          <Field
            key={name}
            label={t(`field.${name}`)}
            value={texts[name] ?? ''}
            autoFocus={index === 0}
            onInput={(text) => setTexts((was) => ({ ...was, [name]: text }))}
          />
        ))}
      </SaveForm>
    </Dialog>
  );
}
