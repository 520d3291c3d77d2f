import { useState } from 'preact/hooks';
import { t } from '../core/i18n';
import { Button } from './Button';
import { Dialog } from './Dialog';
import { ErrorNote } from './ErrorNote';
import { Field } from './Field';
import { Tokens } from './Tokens';

interface Issued {
  readonly access_token: string;
  readonly refresh_token: string;
}

interface CreateDialogProps {
  readonly title: string;
  readonly label: string;
  readonly hint?: string;
  readonly create: (name: string) => Promise<Issued>;
  readonly onClose: (created: boolean) => void;
}

/** Asks for a name, creates something, and shows its first tokens, once. */
export function CreateDialog({ title, label, hint, create, onClose }: CreateDialogProps) {
  const [name, setName] = useState('');
  const [state, setState] = useState<{ issued?: Issued; problem?: unknown; busy?: true }>({});
  const { issued, problem, busy } = state;
  const submit = (event: Event): void => {
    event.preventDefault();
    setState({ busy: true });
    create(name.trim()).then(
      (made) => setState({ issued: made }),
      (refused: unknown) => setState({ problem: refused }),
    );
  };
  return (
    <Dialog title={title} onClose={() => onClose(issued !== undefined)}>
      {issued ? (
        <Tokens
          access={issued.access_token}
          refresh={issued.refresh_token}
          onClose={() => onClose(true)}
        />
      ) : (
        <form onSubmit={submit}>
          <Field
            label={label}
            value={name}
            onInput={setName}
            required
            autoFocus
            {...(hint && { hint })}
          />
          <ErrorNote problem={problem} />
          <div class="dialog-actions">
            <Button onClick={() => onClose(false)}>{t('action.cancel')}</Button>
            <Button type="submit" kind="primary" busy={busy ?? false}>
              {t('action.create')}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
