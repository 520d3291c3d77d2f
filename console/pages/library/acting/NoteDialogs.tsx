import { useState } from 'preact/hooks';
import { Dialog } from '../../../components/Dialog';
import { Field } from '../../../components/Field';
import { SaveForm } from '../../../components/SaveForm';
import { TextArea } from '../../../components/TextArea';
import { t } from '../../../core/i18n';

interface MemoDialogProps {
  readonly count: number;
  readonly onClose: () => void;
  readonly onSave: (message: string) => void;
}

/** The same memo for several images. */
export function MemoDialog({ count, onClose, onSave }: MemoDialogProps) {
  const [message, setMessage] = useState('');
  const save = (): Promise<void> => {
    onClose();
    onSave(message);
    return Promise.resolve();
  };
  return (
    <Dialog title={t('library.memoFor', { count })} onClose={onClose}>
      <SaveForm save={save} onCancel={onClose} label={t('action.add')}>
        <TextArea
          label={t('picture.memo')}
          value={message}
          onInput={setMessage}
          required
          autoFocus
        />
      </SaveForm>
    </Dialog>
  );
}

interface CustomDialogProps {
  readonly count: number;
  readonly onClose: () => void;
  readonly onSave: (custom: { readonly key: string; readonly value: string }) => void;
}

/** The same custom value for several images. */
export function CustomDialog({ count, onClose, onSave }: CustomDialogProps) {
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const save = (): Promise<void> => {
    onClose();
    onSave({ key: key.trim(), value: value.trim() });
    return Promise.resolve();
  };
  return (
    <Dialog title={t('library.customFor', { count })} onClose={onClose}>
      <SaveForm save={save} onCancel={onClose} label={t('action.add')}>
        <Field label={t('field.key')} value={key} onInput={setKey} required autoFocus />
        <Field label={t('field.value')} value={value} onInput={setValue} required />
      </SaveForm>
    </Dialog>
  );
}
