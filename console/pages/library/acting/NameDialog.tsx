import { useState } from 'preact/hooks';
import { Dialog } from '../../../components/Dialog';
import { Field } from '../../../components/Field';
import { SaveForm } from '../../../components/SaveForm';
import { t } from '../../../core/i18n';

interface NameDialogProps {
  /** The present name of a folder that is renamed; undefined for a new folder. */
  readonly title: string | undefined;
  readonly onClose: () => void;
  readonly onName: (title: string) => Promise<void>;
}

/** Asks for a name. */
export function NameDialog({ title, onClose, onName }: NameDialogProps) {
  const [name, setName] = useState(title ?? '');
  const heading = title === undefined ? t('library.newFolder') : t('library.renameFolder');
  const save = async (): Promise<void> => {
    if (!name.trim()) return;
    await onName(name.trim());
    onClose();
  };
  return (
    <Dialog title={heading} onClose={onClose}>
      <SaveForm save={save} onCancel={onClose}>
        <Field label={t('library.folderName')} value={name} onInput={setName} required autoFocus />
      </SaveForm>
    </Dialog>
  );
}
