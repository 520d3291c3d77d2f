import type { ComponentChildren } from 'preact';
import { t } from '../core/i18n';
import { useSaving } from '../core/use-saving';
import { Button } from './Button';
import { ErrorNote } from './ErrorNote';

interface SaveFormProps {
  readonly children: ComponentChildren;
  readonly save: () => Promise<void>;
  readonly onCancel: () => void;
  /** The label of the button that saves. */
  readonly label?: string;
  /** What it does cannot be undone. */
  readonly danger?: boolean;
}

/** Fields that are saved together. What was typed stays until the server has accepted it. */
export function SaveForm(props: SaveFormProps) {
  const { children, save, onCancel, label = t('action.save'), danger } = props;
  const saving = useSaving();
  const submit = (event: Event): void => {
    event.preventDefault();
    saving.save(save);
  };
  return (
    <form onSubmit={submit}>
      {children}
      <ErrorNote problem={saving.problem} />
      <div class="dialog-actions">
        <Button onClick={onCancel}>{t('action.cancel')}</Button>
        <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={saving.busy}>
          {label}
        </Button>
      </div>
    </form>
  );
}
