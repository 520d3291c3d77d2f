import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { t } from '../../core/i18n';

interface NameDialogProps {
  /** Of the folder that is named anew; undefined for a new one. */
  readonly title: string | undefined;
  readonly onClose: () => void;
  readonly onName: (title: string) => void;
}

export function NameDialog({ title, onClose, onName }: NameDialogProps) {
  const [name, setName] = useState(title ?? '');
  const heading = title === undefined ? t('library.newFolder') : t('library.renameFolder');
  const submit = (event: Event): void => {
    event.preventDefault();
    if (name.trim()) onName(name.trim());
  };
  return (
    <Dialog title={heading} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={t('library.folderName')} value={name} onInput={setName} required autoFocus />
        <div class="dialog-actions">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="submit" kind="primary">
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
