import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { ErrorNote } from '../../components/ErrorNote';
import { Field } from '../../components/Field';
import { t } from '../../core/i18n';

interface NameDialogProps {
  /** Of the folder that is named anew; undefined for a new one. */
  readonly title: string | undefined;
  readonly onClose: () => void;
  readonly onName: (title: string) => Promise<void>;
}

/** Asks for a name, and stays with what was typed until it is taken. */
export function NameDialog({ title, onClose, onName }: NameDialogProps) {
  const [name, setName] = useState(title ?? '');
  const [state, setState] = useState<{ busy: boolean; problem?: unknown }>({ busy: false });
  const heading = title === undefined ? t('library.newFolder') : t('library.renameFolder');
  const submit = (event: Event): void => {
    event.preventDefault();
    if (state.busy || !name.trim()) return;
    setState({ busy: true });
    onName(name.trim()).then(onClose, (problem: unknown) => setState({ busy: false, problem }));
  };
  return (
    <Dialog title={heading} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={t('library.folderName')} value={name} onInput={setName} required autoFocus />
        <ErrorNote problem={state.problem} />
        <div class="dialog-actions">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="submit" kind="primary" busy={state.busy}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
