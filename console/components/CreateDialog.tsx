import { useState } from 'preact/hooks';
import { t } from '../core/i18n';
import { Dialog } from './Dialog';
import { Field } from './Field';
import { SaveForm } from './SaveForm';
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
  const [issued, setIssued] = useState<Issued>();
  return (
    <Dialog title={title} onClose={() => onClose(issued !== undefined)}>
      {issued ? (
        <Tokens
          access={issued.access_token}
          refresh={issued.refresh_token}
          onClose={() => onClose(true)}
        />
      ) : (
        <SaveForm
          label={t('action.create')}
          save={async () => setIssued(await create(name.trim()))}
          onCancel={() => onClose(false)}
        >
          <Field
            label={label}
            value={name}
            onInput={setName}
            required
            autoFocus
            {...(hint && { hint })}
          />
        </SaveForm>
      )}
    </Dialog>
  );
}
